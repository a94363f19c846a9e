import { join } from "node:path";

/** Run from the root of the repository, as every script of package.json is. */
export const repository: string = process.cwd();
export const packageFolder: string = join(repository, "e2e/real-cli");
/** Nobody else may write above it: Gemini CLI skips settings that others could have changed. */
export const workFolder: string = join(packageFolder, ".work");
export const binFolder: string = join(workFolder, "bin");
export const runsFolder: string = join(workFolder, "runs");
export const cliProgram: string = join(repository, "dist/cli/main.cjs");
