import { mkdirSync, renameSync } from "node:fs";
import { basename, join } from "node:path";
import { randomBase36 } from "../../base/ids.ts";

/** Moves a file or folder to the trash in one step; returns its new place. */
export function moveToTrash(trash: string, path: string): string {
  mkdirSync(trash, { recursive: true, mode: 0o700 });
  const away = join(trash, `${basename(path)}-${randomBase36(8)}`);
  renameSync(path, away);
  return away;
}
