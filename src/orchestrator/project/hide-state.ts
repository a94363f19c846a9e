import { existsSync, mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";

/** State never shows up in the user's `git status`; the file that hides it hides itself. */
export function hideState(projectRoot: string): void {
  const folder = join(projectRoot, ".ambit");
  const file = join(folder, ".gitignore");
  if (existsSync(file)) return;
  mkdirSync(folder, { recursive: true });
  writeFileSync(file, "# Written by ambit: run-time state stays out of git.\n/state/\n/.gitignore\n");
}
