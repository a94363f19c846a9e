import { randomBytes } from "node:crypto";
import { rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { explainFileTrouble } from "../../base/file-trouble.ts";
import { randomBase36 } from "../../base/ids.ts";
import { getStateDirectory, openOwnState } from "../../project/state-directory.ts";
import { migrateOldState } from "./migrate-old-state.ts";

/** About as many bytes as a supervisor writes before it listens. */
const PROBE_BYTES = 64 * 1024;

/** Makes the state folder, if it is ours, and proves that it is writable, so that a full disk is reported first. */
export function prepareState(projectRoot: string): void {
  const stateDirectory = getStateDirectory(projectRoot);
  const probe = join(stateDirectory, `.probe-${process.pid}-${randomBase36(8)}`);
  try {
    migrateOldState(projectRoot, stateDirectory);
    openOwnState(projectRoot);
    writeFileSync(probe, randomBytes(PROBE_BYTES), { mode: 0o600, flag: "wx" });
  } catch (error) {
    throw explainFileTrouble(error, projectRoot) ?? error;
  } finally {
    rmSync(probe, { force: true });
  }
}
