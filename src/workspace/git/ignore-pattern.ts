/** Returns a line of an exclude file that matches this path and no other; the path has no line break. */
export function buildIgnorePattern(path: string): string {
  const escaped = path.replaceAll(/[\\*?[\]]/g, "\\$&");
  // Trailing spaces are ignored unless they are escaped.
  const bare = escaped.trimEnd();
  return `/${bare}${escaped.slice(bare.length).replaceAll(" ", "\\ ")}`;
}
