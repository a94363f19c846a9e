import { createHash } from "node:crypto";
import { realpathSync, statSync } from "node:fs";
import { userInfo } from "node:os";
import { dirname, join } from "node:path";

/** The bit of a mode that lets everybody write. */
const OTHERS_WRITE = 0o002;

/** Run from the root of the repository, as every script of package.json is. */
export const repository: string = realpathSync(process.cwd());
export const packageFolder: string = join(repository, "e2e/real-cli");
export const workFolder: string = chooseWorkFolder();
export const binFolder: string = join(workFolder, "bin");
export const runsFolder: string = join(workFolder, "runs");
export const cliProgram: string = join(repository, "dist/cli/main.cjs");

/**
 * Nobody else may write above it: Gemini CLI skips settings that others could have changed, and Codex hides folders for
 * temporary files, its own settings in them included, from the commands it runs.
 */
function chooseWorkFolder(): string {
  if (isPrivate(packageFolder)) return join(packageFolder, ".work");
  const name = createHash("sha256").update(repository).digest("hex").slice(0, 8);
  return join(userInfo().homedir, ".cache", `ambit-real-cli-${name}`);
}

function isPrivate(folder: string): boolean {
  for (let above = folder; above !== dirname(above); above = dirname(above))
    if ((statSync(above).mode & OTHERS_WRITE) !== 0) return false;
  return true;
}
