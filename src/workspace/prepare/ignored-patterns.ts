import { ignorePatternOf } from "../git/ignore-pattern.ts";
import { type GitPlace, runGit, splitZero } from "../git/run-git.ts";

/** A folder counts as one; a project whose setup scatters more files than this has its own rules for them. */
const MOST_PATTERNS = 2000;

/** Lists the ignored files and folders of a work tree as rules that keep ignoring them. */
export async function listIgnored(place: GitPlace): Promise<readonly string[]> {
  const { stdout } = await runGit({
    place,
    arguments: ["ls-files", "-z", "--others", "--ignored", "--exclude-standard", "--directory"],
  });
  const paths = splitZero(stdout).map((path) => path.toString("utf8"));
  return patternsOf(paths.map(withoutSlash)).slice(0, MOST_PATTERNS);
}

/**
 * A name with a line break, or one that is not text, cannot be written as a rule; the project's own rules apply to
 * it.
 */
export function patternsOf(paths: readonly string[]): readonly string[] {
  return paths.filter((path) => path !== "" && !/[\n\uFFFD]/.test(path)).map(ignorePatternOf);
}

function withoutSlash(path: string): string {
  return path.endsWith("/") ? path.slice(0, -1) : path;
}
