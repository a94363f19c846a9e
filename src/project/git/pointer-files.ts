import { readFileSync, statSync } from "node:fs";

/** Far above any real pointer or configuration file. */
const MAX_BYTES = 1024 * 1024;

/** The one line of a git pointer file (`.git`, `commondir`), without its prefix. */
export function readGitFile(path: string, prefix: string): string | undefined {
  const text = readSmallFile(path);
  if (text?.startsWith(prefix) !== true) return undefined;
  const [line = ""] = text.slice(prefix.length).split("\n");
  const value = line.endsWith("\r") ? line.slice(0, -1) : line;
  return value === "" ? undefined : value;
}

/** A setting of `[core]`, such as `worktree`: where a submodule's files are. */
export function readCoreSetting(path: string, wanted: "bare" | "worktree"): string | undefined {
  const text = readSmallFile(path);
  if (text === undefined) return undefined;
  let inCore = false;
  for (const line of text.split("\n").map((part) => part.trim())) {
    if (line.startsWith("[")) inCore = line.toLowerCase() === "[core]";
    const [name = "", ...rest] = line.split("=");
    if (inCore && name.trim().toLowerCase() === wanted) return unquoteValue(rest.join("=").trim());
  }
  return undefined;
}

/** Git follows links here, so links are followed; a pipe is not waited for, and a huge file is not read. */
function readSmallFile(path: string): string | undefined {
  try {
    const stats = statSync(path);
    return stats.isFile() && stats.size <= MAX_BYTES ? readFileSync(path, "utf8") : undefined;
  } catch {
    // A file that is missing or that we may not read tells us nothing.
    return undefined;
  }
}

function unquoteValue(value: string): string {
  return value.startsWith('"') && value.endsWith('"') ? value.slice(1, -1) : value;
}
