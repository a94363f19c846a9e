/** A line of an exclude file that names this path and no other; the path has no line break. */
export function ignorePatternOf(path: string): string {
  const escaped = path.replaceAll(/[\\*?[\]]/g, "\\$&");
  // Spaces at the end of a line do not count unless they are escaped.
  const bare = escaped.trimEnd();
  return `/${bare}${escaped.slice(bare.length).replaceAll(" ", "\\ ")}`;
}
