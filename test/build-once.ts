import { execFileSync } from "node:child_process";
import { existsSync, readdirSync, statSync } from "node:fs";
import { join } from "node:path";

const BUILT_CLI = "dist/cli/main.cjs";
const BUILD_INPUTS = ["package.json", "scripts/build.mjs", "scripts/build-dashboard.mjs"];

/** Builds the CLI that the end-to-end tests run, unless the one in dist/ is newer than every source file. */
export function setup(): void {
  if (isBuilt()) return;
  execFileSync(process.execPath, ["scripts/build.mjs", "--no-types"], { stdio: "inherit" });
}

function isBuilt(): boolean {
  if (!existsSync(BUILT_CLI)) return false;
  const builtMs = statSync(BUILT_CLI).mtimeMs;
  return [...BUILD_INPUTS, ...sourceFiles()].every((file) => statSync(file).mtimeMs < builtMs);
}

function sourceFiles(): readonly string[] {
  return readdirSync("src", { recursive: true, encoding: "utf8" }).map((entry) => join("src", entry));
}
