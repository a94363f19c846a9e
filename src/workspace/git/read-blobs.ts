import { getRefPlace, type Repository } from "./repository.ts";
import { runGit } from "./run-git.ts";

/** Reads the contents of blobs with one git process; undefined for missing ones and other objects. */
export async function readBlobs(
  repository: Repository,
  ids: readonly string[],
): Promise<readonly (Buffer | undefined)[]> {
  if (ids.length === 0) return [];
  const { stdout } = await runGit({
    place: getRefPlace(repository),
    arguments: ["cat-file", "--batch"],
    stdin: ids.map((id) => `${id}\n`).join(""),
  });
  const contents: (Buffer | undefined)[] = [];
  let at = 0;
  while (contents.length < ids.length && at < stdout.length) {
    const end = stdout.indexOf("\n", at);
    // `<id> <type> <size>`, or `<id> missing`.
    const [, type, size] = stdout.toString("latin1", at, end).split(" ");
    contents.push(type === "blob" ? stdout.subarray(end + 1, end + 1 + Number(size)) : undefined);
    at = size === undefined ? end + 1 : end + Number(size) + 2;
  }
  return contents;
}
