import { ANCHOR_REF } from "./git/ref-names.ts";
import { changeRefs } from "./git/refs.ts";
import { getRefPlace, type Repository } from "./git/repository.ts";
import { readGitLine, runGit } from "./git/run-git.ts";

/** How far the journal was written. It is kept in git, so that a shorter or replaced store is noticed. */
export interface JournalAnchor {
  readonly events: number;
  /** The hash of the last of them. */
  readonly hash: string;
}

export async function writeJournalAnchor(
  repository: Repository,
  { events, hash }: JournalAnchor,
): Promise<void> {
  const blob = await readGitLine({
    place: getRefPlace(repository),
    arguments: ["hash-object", "-w", "--stdin"],
    stdin: `${events} ${hash}\n`,
  });
  await changeRefs(repository, [{ ref: ANCHOR_REF, to: blob }]);
}

/** The journal begins again. */
export function removeJournalAnchor(repository: Repository): Promise<void> {
  return changeRefs(repository, [{ ref: ANCHOR_REF, to: undefined }]);
}

/** Undefined before the first story ended. */
export async function readJournalAnchor(repository: Repository): Promise<JournalAnchor | undefined> {
  const { stdout } = await runGit({
    place: getRefPlace(repository),
    arguments: ["cat-file", "blob", ANCHOR_REF],
    accept: [128],
  });
  const [, events, hash] = /^(\d{1,15}) ([0-9a-f]{64})\n$/.exec(stdout.toString("utf8")) ?? [];
  return events === undefined || hash === undefined ? undefined : { events: Number(events), hash };
}
