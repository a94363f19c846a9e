// Every test. With --coverage also what the test processes and all processes of the program that they start have run.
import { spawnSync } from "node:child_process";
import { chmodSync, mkdtempSync, rmSync, statfsSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { COVERAGE_FOLDER } from "./coverage-folder.mjs";

const isForCoverage = process.argv.includes("--coverage");
const vitest = [
  "node_modules/vitest/vitest.mjs",
  "run",
  "--reporter=default",
  "--reporter=json",
  "--outputFile.json=reports/tests/unit.json",
];

/** Thousands of repositories and stores are made; where they fit into memory, no test waits for the disk. */
const MEMORY = "/dev/shm";
const MIN_FREE_BYTES = 8 * 2 ** 30;

// Ctrl-C ends the tests by itself; what they made in memory must go, too.
process.on("SIGINT", () => undefined);
rmSync(COVERAGE_FOLDER, { recursive: true, force: true });
const isBuilt = run(["scripts/build.mjs", "--no-types", ...(isForCoverage ? ["--coverage"] : [])]);
const temporary = process.env.TMPDIR === undefined ? makeFolderInMemory() : undefined;
const isTested =
  isBuilt && run([...vitest, ...process.argv.slice(2)], { TMPDIR: temporary ?? process.env.TMPDIR });
if (temporary !== undefined) spawnSync("rm", ["-rf", "--one-file-system", temporary]);
// The figures are worth reading after a failure, too.
const isCovered = !isForCoverage || (isBuilt && run(["scripts/merge-coverage.mjs"]));
if (!isTested || !isCovered) process.exitCode = 1;

function run(words, environment = {}) {
  const env = { ...process.env, ...environment };
  return spawnSync(process.execPath, words, { stdio: "inherit", env }).status === 0;
}

/** Undefined where memory is short, or where programs in it may not be run. */
function makeFolderInMemory() {
  try {
    const { bavail, bsize } = statfsSync(MEMORY);
    if (bavail * bsize < MIN_FREE_BYTES) return undefined;
    const folder = mkdtempSync(join(MEMORY, "t-"));
    // As open as /tmp: some tests run servers and workers as other users.
    chmodSync(folder, 0o1777);
    const probe = join(folder, "probe");
    writeFileSync(probe, "#!/bin/sh\n", { mode: 0o755 });
    const canRun = spawnSync(probe).status === 0;
    rmSync(canRun ? probe : folder, { recursive: true });
    return canRun ? folder : undefined;
  } catch {
    return undefined;
  }
}
