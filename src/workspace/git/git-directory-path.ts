/** Code points that some file systems drop from a name, so that `.g<joiner>it` becomes `.git`. */
const ignorable = /[\u200c-\u200f\u202a-\u202e\u206a-\u206f\ufeff]/gu;

/** Whether a part of the path is a git directory, or some file system would treat it as one. */
export function isGitDirectoryPath(path: Buffer | string): boolean {
  return path.toString("utf8").split("/").some(isGitDirectoryName);
}

function isGitDirectoryName(segment: string): boolean {
  const [beforeStream = ""] = segment.replaceAll(ignorable, "").toLowerCase().split(":");
  const name = trimWindowsTail(beforeStream);
  return name === ".git" || isWindowsShortName(name);
}

/** `git~1` is how Windows abbreviates `.git`. */
function isWindowsShortName(name: string): boolean {
  return name.startsWith("git~") && /^\d+$/.test(name.slice("git~".length));
}

/** Windows drops spaces and dots at the end of a name. */
function trimWindowsTail(name: string): string {
  let end = name.length;
  while (end > 0 && (name[end - 1] === " " || name[end - 1] === ".")) end -= 1;
  return name.slice(0, end);
}
