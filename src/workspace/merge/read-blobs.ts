import { refPlace, type Repository } from "../git/repository.ts";
import { runGit } from "../git/run-git.ts";

/** Reads the contents of objects with one git process; undefined for missing ones. */
export async function readBlobs(
  repository: Repository,
  ids: readonly string[],
): Promise<readonly (Buffer | undefined)[]> {
  if (ids.length === 0) return [];
  const { stdout } = await runGit({
    place: refPlace(repository),
    arguments: ["cat-file", "--batch"],
    stdin: ids.map((id) => `${id}\n`).join(""),
  });
  const contents: (Buffer | undefined)[] = [];
  let at = 0;
  while (contents.length < ids.length && at < stdout.length) {
    const end = stdout.indexOf("\n", at);
    // `<id> <type> <size>`, or `<id> missing`.
    const [, , size] = stdout.toString("latin1", at, end).split(" ");
    const length = Number(size ?? Number.NaN);
    contents.push(Number.isNaN(length) ? undefined : stdout.subarray(end + 1, end + 1 + length));
    at = Number.isNaN(length) ? end + 1 : end + length + 2;
  }
  return contents;
}
