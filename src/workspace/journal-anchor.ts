import { ANCHOR_REF, CHECKPOINT_REF } from "./git/ref-names.ts";
import { changeRefs } from "./git/refs.ts";
import { getRefPlace, type Repository } from "./git/repository.ts";
import { readGitLine, runGit } from "./git/run-git.ts";

/** How far the journal was written. It is kept in git, so that a shorter or replaced store is noticed. */
export interface JournalAnchor {
  readonly events: number;
  /** The hash of the last of these events. */
  readonly hash: string;
}

/** The checkpoint of the projections as of an event. It is kept in git, so that a changed checkpoint is noticed. */
export interface CheckpointAnchor extends JournalAnchor {
  /** SHA-256 of the file. */
  readonly digest: string;
}

export async function writeJournalAnchor(
  repository: Repository,
  { events, hash }: JournalAnchor,
): Promise<void> {
  await noteLine(repository, ANCHOR_REF, `${events} ${hash}`);
}

export async function writeCheckpointAnchor(
  repository: Repository,
  { events, hash, digest }: CheckpointAnchor,
): Promise<void> {
  await noteLine(repository, CHECKPOINT_REF, `${events} ${hash} ${digest}`);
}

/** Called when the journal begins again. */
export function removeJournalAnchor(repository: Repository): Promise<void> {
  return changeRefs(
    repository,
    [ANCHOR_REF, CHECKPOINT_REF].map((ref) => ({ ref, to: undefined })),
  );
}

/** Called when the projections are to be made from the first event again. */
export function removeCheckpointAnchor(repository: Repository): Promise<void> {
  return changeRefs(repository, [{ ref: CHECKPOINT_REF, to: undefined }]);
}

/** Undefined before the first story has ended. */
export async function readJournalAnchor(repository: Repository): Promise<JournalAnchor | undefined> {
  const line = await readNotedLine(repository, ANCHOR_REF);
  const [, events, hash] = /^(\d{1,15}) ([0-9a-f]{64})\n$/.exec(line) ?? [];
  return events === undefined || hash === undefined ? undefined : { events: Number(events), hash };
}

/** Undefined before the first checkpoint was made. */
export async function readCheckpointAnchor(repository: Repository): Promise<CheckpointAnchor | undefined> {
  const line = await readNotedLine(repository, CHECKPOINT_REF);
  const [, events, hash, digest] = /^(\d{1,15}) ([0-9a-f]{64}) ([0-9a-f]{64})\n$/.exec(line) ?? [];
  if (events === undefined || hash === undefined || digest === undefined) return undefined;
  return { events: Number(events), hash, digest };
}

async function noteLine(repository: Repository, ref: string, line: string): Promise<void> {
  const blob = await readGitLine({
    place: getRefPlace(repository),
    arguments: ["hash-object", "-w", "--stdin"],
    stdin: `${line}\n`,
  });
  await changeRefs(repository, [{ ref, to: blob }]);
}

async function readNotedLine(repository: Repository, ref: string): Promise<string> {
  const { stdout } = await runGit({
    place: getRefPlace(repository),
    arguments: ["cat-file", "blob", ref],
    accept: [128],
  });
  return stdout.toString("utf8");
}
