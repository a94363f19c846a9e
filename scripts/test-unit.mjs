// Every test, with the coverage of the test processes and of all processes of the program that they start.
import { spawnSync } from "node:child_process";
import { rmSync } from "node:fs";
import { COVERAGE_FOLDER } from "./coverage-folder.mjs";

const vitest = [
  "node_modules/vitest/vitest.mjs",
  "run",
  "--coverage",
  "--reporter=default",
  "--reporter=json",
  "--outputFile.json=reports/tests/unit.json",
];

rmSync(COVERAGE_FOLDER, { recursive: true, force: true });
const isBuilt = run(["scripts/build.mjs", "--no-types", "--coverage"]);
const isTested = isBuilt && run([...vitest, ...process.argv.slice(2)]);
// The figures are worth reading after a failure, too.
const isCovered = isBuilt && run(["scripts/merge-coverage.mjs"]);
if (!isTested || !isCovered) process.exitCode = 1;

function run(words) {
  return spawnSync(process.execPath, words, { stdio: "inherit" }).status === 0;
}
