import { randomBytes } from "node:crypto";
import { mkdirSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { explainFileTrouble } from "../base/file-trouble.ts";
import { randomBase36 } from "../base/ids.ts";

/** About what a supervisor writes until it listens. */
const PROBE_BYTES = 64 * 1024;

/** Makes the state folder and shows that it can be written: a disk that takes nothing is named before all else. */
export function prepareState(projectRoot: string): void {
  const folder = join(projectRoot, ".ambit", "state");
  const probe = join(folder, `.probe-${process.pid}-${randomBase36(8)}`);
  try {
    // Level by level: asked for several, Node reports a read-only file system as a folder that is not there.
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
    const isThere = error instanceof Error && "code" in error && error.code === "EEXIST";
    if (!isThere) throw error;
  }
}
