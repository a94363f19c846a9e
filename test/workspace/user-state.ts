import { createHash } from "node:crypto";
import { lstatSync, readdirSync, readFileSync, readlinkSync } from "node:fs";
import { join, relative } from "node:path";
import type { TemporaryRepository } from "./temporary-repository.ts";

/**
 * Everything that is the user's, byte for byte: files with their rights and times, index, stash, HEAD, branches, tags,
 * configuration, hooks. Our own refs, branches, notes about worktrees and loose objects are not.
 */
export function userState(
  project: Pick<TemporaryRepository, "root" | "git">,
): Readonly<Record<string, string>> {
  const state: Record<string, string> = {};
  collect(project.root, project.root, state);
  state["refs"] = project
    .git("for-each-ref", "--format=%(refname) %(objectname)")
    .split("\n")
    .filter((line) => !line.startsWith("refs/ambit/") && !line.startsWith("refs/heads/delegation/"))
    .join("\n");
  return state;
}

const ours = new Set([
  ".git/ambit",
  ".git/objects",
  ".git/worktrees",
  ".git/refs",
  ".git/packed-refs",
  ".git/logs/refs",
]);

function collect(root: string, folder: string, state: Record<string, string>): void {
  for (const name of readdirSync(folder, { encoding: "buffer" })) {
    const path = Buffer.concat([Buffer.from(`${folder}/`), name]);
    const shown = relative(root, path.toString("latin1"));
    if (ours.has(shown)) continue;
    const stats = lstatSync(path, { bigint: true });
    if (stats.isDirectory()) collect(root, join(folder, name.toString("utf8")), state);
    else if (stats.isSymbolicLink()) state[shown] = `link ${readlinkSync(path)}`;
    else if (stats.isFile())
      state[shown] =
        `${String(stats.mode)} ${String(stats.mtimeNs)} ${String(stats.ino)} ${createHash("sha1").update(readFileSync(path)).digest("hex")}`;
  }
}
