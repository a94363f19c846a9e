import { buildIgnorePattern } from "../git/ignore-pattern.ts";
import { type GitPlace, runGit, splitAtZeros } from "../git/run-git.ts";

/** A folder counts as one pattern; a project whose setup scatters more files than this has its own rules for them. */
const MAX_PATTERNS = 2000;

/** Lists the ignored files and folders of a work tree as rules that keep ignoring them. */
export async function listIgnoredPatterns(place: GitPlace): Promise<readonly string[]> {
  const { stdout } = await runGit({
    place,
    arguments: ["ls-files", "-z", "--others", "--ignored", "--exclude-standard", "--directory"],
  });
  const paths = splitAtZeros(stdout).map((path) => path.toString("utf8"));
  return buildIgnorePatterns(paths.map(withoutSlash)).slice(0, MAX_PATTERNS);
}

/**
 * A name with a line break, or one that is not text, cannot be written as a rule; the project's own rules apply to
 * it.
 */
export function buildIgnorePatterns(paths: readonly string[]): readonly string[] {
  return paths.filter((path) => path !== "" && !/[\n\uFFFD]/.test(path)).map(buildIgnorePattern);
}

function withoutSlash(path: string): string {
  return path.endsWith("/") ? path.slice(0, -1) : path;
}
