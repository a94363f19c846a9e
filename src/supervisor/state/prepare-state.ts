import { randomBytes } from "node:crypto";
import { mkdirSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { explainFileTrouble } from "../../base/file-trouble.ts";
import { randomBase36 } from "../../base/ids.ts";

/** About as much as a supervisor writes before it listens. */
const PROBE_BYTES = 64 * 1024;

/** Makes the state folder and proves that it is writable, so that a full disk is reported first. */
export function prepareState(projectRoot: string): void {
  const folder = join(projectRoot, ".ambit", "state");
  const probe = join(folder, `.probe-${process.pid}-${randomBase36(8)}`);
  try {
    // One level at a time: for several levels, Node reports a read-only file system as a missing folder.
    for (const level of [join(projectRoot, ".ambit"), folder, join(folder, "logs")]) makeFolder(level);
    writeFileSync(probe, randomBytes(PROBE_BYTES), { mode: 0o600, flag: "wx" });
  } catch (error) {
    throw explainFileTrouble(error, projectRoot) ?? error;
  } finally {
    rmSync(probe, { force: true });
  }
}

function makeFolder(path: string): void {
  try {
    mkdirSync(path, { mode: 0o700 });
  } catch (error) {
    const exists = error instanceof Error && "code" in error && error.code === "EEXIST";
    if (!exists) throw error;
  }
}
