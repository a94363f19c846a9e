import { readText } from "./read-text.ts";

/** The one line of a git pointer file (`.git`, `commondir`), without its prefix. */
export function readGitFile(path: string, prefix: string): string | undefined {
  const content = readText(path);
  if (content.kind !== "text" || !content.text.startsWith(prefix)) return undefined;
  const [line = ""] = content.text.slice(prefix.length).split("\n");
  const value = line.endsWith("\r") ? line.slice(0, -1) : line;
  return value === "" ? undefined : value;
}

/** `core.worktree` of a git directory: where a submodule's files are. */
export function readWorktreeSetting(path: string): string | undefined {
  const content = readText(path);
  if (content.kind !== "text") return undefined;
  let inCore = false;
  for (const line of content.text.split("\n").map((text) => text.trim())) {
    if (line.startsWith("[")) inCore = line.toLowerCase() === "[core]";
    const [name = "", ...rest] = line.split("=");
    if (inCore && name.trim().toLowerCase() === "worktree") return unquoteValue(rest.join("=").trim());
  }
  return undefined;
}

function unquoteValue(value: string): string {
  return value.startsWith('"') && value.endsWith('"') ? value.slice(1, -1) : value;
}
