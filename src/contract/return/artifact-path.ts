/** Judges where a path from an agent leads, by its text alone. */
export type PathVerdict = "inside" | "absolute" | "escapes" | "malformed";

/**
 * Separators of every system count, because a return may be read on a different system than it was written on.
 * `a/../b` stays inside; `a/../../b` does not.
 */
export function judgeRelativePath(path: string): PathVerdict {
  if (path.includes("\0") || !path.isWellFormed()) return "malformed";
  if (/^(?:[/\\~]|[A-Za-z]:)/.test(path)) return "absolute";
  let level = 0;
  for (const segment of path.split(/[/\\]/)) {
    if (segment === "..") level -= 1;
    else if (segment !== "" && segment !== ".") level += 1;
    if (level < 0) return "escapes";
  }
  return level === 0 ? "malformed" : "inside";
}
