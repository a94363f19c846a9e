import { type GitPlace, runGit } from "../git/run-git.ts";
import { joinZero, type LeftOut } from "./sort-out.ts";

const STAGE_TIMEOUT_MS = 1_800_000;

/** Removes paths from the index, whatever now lies there in the work tree. */
export async function removeFromIndex(place: GitPlace, paths: readonly Buffer[]): Promise<void> {
  if (paths.length === 0) return;
  const words = ["update-index", "-z", "--force-remove", "--stdin"];
  await runGit({ place, arguments: words, stdin: joinZero(paths), timeoutMs: STAGE_TIMEOUT_MS });
}

/**
 * Stores files and links. A file that git cannot read fails the whole batch, so the batch is halved until that file
 * is alone; the rest of a worker's changes is always kept.
 */
export async function stageFiles(place: GitPlace, paths: readonly Buffer[]): Promise<readonly LeftOut[]> {
  if (paths.length === 0) return [];
  const { exitCode } = await runGit({
    place,
    arguments: ["update-index", "-z", "--add", "--replace", "--stdin"],
    stdin: joinZero(paths),
    accept: [1, 128],
    timeoutMs: STAGE_TIMEOUT_MS,
  });
  if (exitCode === 0) return [];
  const [only] = paths;
  if (paths.length === 1 && only !== undefined) return [{ path: only, reason: "unreadable" }];
  const half = Math.ceil(paths.length / 2);
  const first = await stageFiles(place, paths.slice(0, half));
  return [...first, ...(await stageFiles(place, paths.slice(half)))];
}
