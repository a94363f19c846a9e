import { mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { DelegationError, readErrorMessage } from "../../base/delegation-error.ts";
import { workspaceErrors } from "../../errors/workspace.ts";
import { withScratchFolder } from "../files/scratch-folder.ts";
import { getObjectDirectory, getRefPlace, type Repository } from "../git/repository.ts";
import { type GitPlace, runGit } from "../git/run-git.ts";
import { type HandOver } from "./read-hand-over.ts";

export interface PackRequest {
  readonly repository: Repository;
  readonly stateDirectory: string;
  readonly base: string;
  readonly handOver: HandOver;
}

const TIMEOUT_MS = 600_000;
/** No single object may need more; a few bytes of pack can ask for terabytes. */
const MAX_OBJECT_BYTES = String(512 * 1024 * 1024);
/** `PACK`, version, number of objects. */
const HEADER_BYTES = 12;

/**
 * Brings the objects of a pack into the user's repository after they have passed every check in a separate folder; a
 * refused pack leaves nothing behind.
 */
export async function importPack(request: PackRequest): Promise<void> {
  const { repository, handOver } = request;
  const { tip, kept, pack } = handOver;
  if (isEmptyPack(pack)) return checkCommits(getRefPlace(repository), request);
  await withQuarantine(request, async (place) => {
    await indexStrictly(place, pack);
    await checkCommits(place, request);
  });
  await indexStrictly(getRefPlace(repository), pack);
  await checkExistence(getRefPlace(repository), [tip, ...kept]);
}

function isEmptyPack(pack: Buffer): boolean {
  return pack.length >= HEADER_BYTES && pack.readUInt32BE(HEADER_BYTES - 4) === 0;
}

async function withQuarantine(
  { repository, stateDirectory }: PackRequest,
  use: (place: GitPlace) => Promise<void>,
): Promise<void> {
  await withScratchFolder(stateDirectory, (folder) => {
    mkdirSync(join(folder, "info"), { mode: 0o700 });
    mkdirSync(join(folder, "pack"));
    writeFileSync(join(folder, "info", "alternates"), `${getObjectDirectory(repository)}\n`);
    return use({ ...getRefPlace(repository), objectDirectory: folder });
  });
}

/** `--strict` refuses names such as `.git`, `..` and `git~1`, broken objects and links to missing objects. */
async function indexStrictly(place: GitPlace, pack: Buffer): Promise<void> {
  await askOrRefuse(place, {
    words: ["index-pack", "--stdin", "--strict", "--fix-thin", `--max-input-size=${String(pack.length + 1)}`],
    stdin: pack,
    reason: "its pack is invalid",
  });
}

async function checkCommits(place: GitPlace, { base, handOver }: PackRequest): Promise<void> {
  const commits = [handOver.tip, ...handOver.kept];
  await checkExistence(place, commits);
  await askOrRefuse(place, {
    words: ["merge-base", "--is-ancestor", base, handOver.tip],
    reason: "its work does not build on the commit it started from",
  });
  await askOrRefuse(place, {
    words: ["rev-list", "--objects", "--quiet", "--stdin"],
    stdin: [...commits, `^${base}`].map((word) => `${word}\n`).join(""),
    reason: "objects are missing",
  });
}

async function checkExistence(place: GitPlace, commits: readonly string[]): Promise<void> {
  const types = await askOrRefuse(place, {
    words: ["cat-file", "--batch-check=%(objecttype)"],
    stdin: commits.map((commit) => `${commit}\n`).join(""),
    reason: "its commits cannot be read",
  });
  const lines = types.toString("latin1").trimEnd().split("\n");
  if (lines.length !== commits.length || lines.some((line) => line !== "commit"))
    throw workspaceErrors.handOverRefused("it names commits that do not exist");
}

interface Question {
  readonly words: readonly string[];
  readonly stdin?: Uint8Array | string;
  readonly reason: string;
}

async function askOrRefuse(place: GitPlace, { words, stdin, reason }: Question): Promise<Buffer> {
  try {
    const { stdout } = await runGit({
      place,
      arguments: words,
      ...(stdin === undefined ? {} : { stdin }),
      environment: { GIT_ALLOC_LIMIT: MAX_OBJECT_BYTES },
      timeoutMs: TIMEOUT_MS,
    });
    return stdout;
  } catch (error) {
    const isAnswer = error instanceof DelegationError && error.code === "GIT_FAILED";
    throw isAnswer ? workspaceErrors.handOverRefused(`${reason} (${readErrorMessage(error)})`, error) : error;
  }
}
