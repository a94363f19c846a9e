import { renameSync, rmSync, writeFileSync } from "node:fs";
import { randomBase36 } from "../../base/ids.ts";

/** Readers see either the old content or the new, even if the writer is killed. */
export function writeAtomic(path: string, content: string | Uint8Array): void {
  const beside = `${path}.${randomBase36(8)}.new`;
  try {
    writeFileSync(beside, content, { mode: 0o600, flag: "wx" });
    renameSync(beside, path);
  } catch (error) {
    rmSync(beside, { force: true });
    throw error;
  }
}
