import { accessSync, constants, statSync } from "node:fs";
import { tmpdir } from "node:os";

/** The folder for temporary files. A variable that names no usable folder, such as one that was cleaned up, is ignored. */
export function getTemporaryFolder(): string {
  const named = tmpdir();
  return isUsable(named) ? named : "/tmp";
}

function isUsable(folder: string): boolean {
  try {
    accessSync(folder, constants.W_OK | constants.X_OK);
    return statSync(folder).isDirectory();
  } catch {
    return false;
  }
}
