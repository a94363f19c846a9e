// The gate: the same steps, in the same order, here and in CI. It stops at the first step that fails.
import { spawnSync } from "node:child_process";
import { mkdirSync, rmSync, writeFileSync } from "node:fs";

// Cheap answers first. The tests build the program without its types; the build after them is the one that would be published.
const STEPS = [
  ["format:check", "every file is formatted"],
  ["lint", "type-aware lint"],
  ["types", "types"],
  ["layers", "imports follow the ranks"],
  ["dead", "no dead code, no unused dependency"],
  ["test:unit", "every test"],
  ["build", "the CLI, the library and its types build"],
  ["package:check", "the package that would be published works"],
  ["test:real-cli-fast", "a real agent CLI delegates, offline"],
];
const FAILED_STEP = "reports/gate-failure.txt";

rmSync(FAILED_STEP, { force: true });
const startedMs = performance.now();
for (const [index, [script, promise]] of STEPS.entries()) {
  console.log(`\n== ${index + 1}/${STEPS.length} ${script}: ${promise}`);
  const stepStartedMs = performance.now();
  const { status } = spawnSync("npm", ["run", "--silent", script], { stdio: "inherit" });
  if (status !== 0) stop(script);
  console.log(`== ${script} passed in ${secondsSince(stepStartedMs)} s`);
}
console.log(`\n== verify passed in ${secondsSince(startedMs)} s`);

function stop(script) {
  mkdirSync("reports", { recursive: true });
  writeFileSync(FAILED_STEP, `${script}\n`);
  console.error(`\n== verify failed at ${script}. Run it alone with: npm run ${script}`);
  process.exit(1);
}

function secondsSince(ms) {
  return ((performance.now() - ms) / 1000).toFixed(1);
}
