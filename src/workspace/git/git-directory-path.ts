/** Code points that some file systems drop from a name, so that `.g<joiner>it` becomes `.git`. */
const ignorable = /[\u200c-\u200f\u202a-\u202e\u206a-\u206f\ufeff]/gu;

/** Whether a part of the path is a git directory, or some file system would treat it as one. */
export function isGitDirectoryPath(path: Buffer | string): boolean {
  // Windows separates folders by backslashes, too, so git refuses such a name everywhere.
  return path.toString("utf8").split(/[/\\]/).some(isGitDirectoryName);
}

/** Whether git refuses a link at this path, because some file system would treat it as `.gitmodules`. */
export function isModulesPath(path: Buffer): boolean {
  const text = path.toString("latin1").toLowerCase();
  const parts = text.slice(text.lastIndexOf("/") + 1).split("\\");
  return parts.some((_, index) => isModulesName(parts.slice(index).join("\\")));
}

function isModulesName(text: string): boolean {
  const [beforeStream = ""] = text.split(":");
  const name = trimWindowsTail(beforeStream);
  return name === ".gitmodules" || /^gitmod~[1-4]$/.test(name) || isHashedShortName(name);
}

/** The short name of eight characters that Windows takes for `.gitmodules` if the usual ones are taken. */
function isHashedShortName(name: string): boolean {
  const tilde = name.indexOf("~");
  const isShort = name.length === 8 && tilde !== -1;
  return isShort && "gi7eba".startsWith(name.slice(0, tilde)) && /^[1-9]\d*$/.test(name.slice(tilde + 1));
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
