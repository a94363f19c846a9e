import { getRefPlace, type Repository } from "./git/repository.ts";
import { runGit } from "./git/run-git.ts";

const MAX_WORDS = 200;
const MAX_LINE_LENGTH = 500;
/** Enough lines of one file to see how it uses a word. */
const MAX_LINES_PER_FILE = 50;

/** Lists the lines of a commit's text files in which one of the words occurs. */
export async function findLinesWith(
  repository: Repository,
  commit: string,
  words: readonly string[],
): Promise<readonly string[]> {
  if (words.length === 0) return [];
  const { stdout } = await runGit({
    place: getRefPlace(repository),
    arguments: [
      "grep",
      "-hIwF",
      `--max-count=${String(MAX_LINES_PER_FILE)}`,
      ...words.slice(0, MAX_WORDS).flatMap((word) => ["-e", word]),
      commit,
    ],
    accept: [1],
  });
  const lines = stdout.toString("utf8").split("\n");
  return lines.filter((line) => line !== "" && line.length <= MAX_LINE_LENGTH);
}
