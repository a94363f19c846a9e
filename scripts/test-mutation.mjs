import { spawnSync } from "node:child_process";
import { existsSync, mkdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { parseArgs } from "node:util";

/**
 * `npm run test:mutation` covers the part `limits`: guards, ledger and contract. `npm run test:mutation -- tasks` covers one
 * of the other parts. Only tests that load the source count: the built command has no mutants. So a part holds the
 * files whose rules such tests prove; the rest is proven by tests that start processes. `--share 0.1 --seed 1` takes a
 * random tenth of the mutants of a part, and says how far the score may be off; `--only <glob>` takes some of its files.
 */
const parts = new Map([
  [
    "limits",
    {
      mutate: [
        "src/guards/**/*.ts",
        "src/ledger/**/*.ts",
        "src/contract/**/*.ts",
        "!src/contract/index.ts",
        "!src/contract/json-schemas.ts",
      ],
      tests: [
        "test/guards/**/*.test.ts",
        "test/ledger/**/*.test.ts",
        "test/contract/**/*.test.ts",
        "test/base/json-scanner.test.ts",
      ],
      minScore: 90,
    },
  ],
  [
    "orchestrator",
    {
      mutate: [
        "src/orchestrator/split/**/*.ts",
        "src/orchestrator/checks/shared-runs.ts",
        "src/orchestrator/delegation/{attempt-files,data-block,find-provider,kind,turn-limits}.ts",
        "src/orchestrator/external-manager/timers.ts",
        "src/orchestrator/machines/{choose-offers,list-free}.ts",
        "src/orchestrator/opening/estimate-context.ts",
        "src/orchestrator/returned/compare-results.ts",
        "src/orchestrator/running/invoke/loop-watch.ts",
        "src/orchestrator/running/judge/{keep-return,missing-return,next-step}.ts",
        "src/orchestrator/running/prepare/describe-results.ts",
        "src/orchestrator/todos/plan-update.ts",
        "src/orchestrator/workflow/{markers,place-documents,plan-phases,read-registry,task-documents}.ts",
      ],
      tests: [
        "test/orchestrator/adapt-depth.test.ts",
        "test/orchestrator/delegation/**/*.test.ts",
        "test/orchestrator/describe-results.test.ts",
        "test/orchestrator/estimate-context.test.ts",
        "test/orchestrator/gate-*.test.ts",
        "test/orchestrator/loop-watch.test.ts",
        "test/orchestrator/machines/{choose-offers,list-free}.test.ts",
        "test/orchestrator/next-step.test.ts",
        "test/orchestrator/outside-timers.test.ts",
        "test/orchestrator/plan-update.test.ts",
        "test/orchestrator/predict-split.test.ts",
        "test/orchestrator/returned/**/*.test.ts",
        "test/orchestrator/shared-runs.test.ts",
        "test/orchestrator/workflow/{plan-phases,read-registry,task-documents}.test.ts",
      ],
    },
  ],
  [
    "tasks",
    {
      mutate: ["src/tasks/**/*.ts"],
      tests: ["test/tasks/!(kill).test.ts"],
      loads: ["src/tasks/operations", "src/tasks/applying"],
    },
  ],
  [
    "config",
    {
      mutate: ["src/config/**/*.ts"],
      tests: ["test/config/**/*.test.ts", "test/contract/environment-names.test.ts"],
    },
  ],
  [
    "app",
    {
      mutate: [
        "src/app/task-words.ts",
        "src/app/check/*.ts",
        "src/app/init/trial/{find-remedy,remedies}.ts",
        "src/app/mcp-install/{edit-json,edit-toml,line-diff}.ts",
        "src/app/prd/{describe-story,order-stories,write-passes}.ts",
        "src/app/programs/hand-out-parts.ts",
        "src/app/views/log-colours.ts",
      ],
      tests: [
        "test/app/task-words.test.ts",
        "test/app/check/**/*.test.ts",
        "test/app/hand-out-parts.test.ts",
        "test/app/init/**/*.test.ts",
        "test/app/mcp-install-*.test.ts",
        "test/app/prd/**/*.test.ts",
        "test/app/views/**/*.test.ts",
      ],
    },
  ],
]);
const MIN_SCORE = 80;

const {
  positionals: [name = "limits"],
  values,
} = parseArgs({
  allowPositionals: true,
  options: {
    share: { type: "string", default: "1" },
    seed: { type: "string", default: "1" },
    only: { type: "string" },
    concurrency: { type: "string", default: "2" },
  },
});
const part = parts.get(name);
if (part === undefined) {
  console.error(`There is no part ${name}. The parts are ${[...parts.keys()].join(", ")}.`);
  process.exit(2);
}
process.exit(runStryker());

function runStryker() {
  const report = `reports/mutation-${name}.json`;
  rmSync(report, { force: true });
  const status = spawnStryker([writeConfig(report)], {
    AMBIT_MUTATION_TESTS: part.tests.join(" "),
    AMBIT_MUTATION_LOADS: (part.loads ?? []).join(" "),
    AMBIT_MUTATION_SHARE: values.share,
    AMBIT_MUTATION_SEED: values.seed,
  });
  if (existsSync(report)) console.log(describeScore(JSON.parse(readFileSync(report, "utf8"))));
  return status;
}

function spawnStryker(words, environment) {
  const options = { stdio: "inherit", env: { ...process.env, ...environment } };
  return spawnSync("npx", ["stryker", "run", ...words], options).status ?? 1;
}

/** What the parts share is in `stryker.config.json`. */
function writeConfig(report) {
  const { mutate, minScore = MIN_SCORE } = part;
  const file = `reports/mutation-${name}.config.json`;
  mkdirSync("reports", { recursive: true });
  writeFileSync(
    file,
    JSON.stringify({
      ...JSON.parse(readFileSync("stryker.config.json", "utf8")),
      checkers: ["sample"],
      mutate: values.only === undefined ? mutate : [values.only],
      jsonReporter: { fileName: report },
      concurrency: Number(values.concurrency),
      thresholds: { high: 95, low: minScore, break: minScore },
    }),
  );
  return file;
}

/** With the interval that holds the score of all mutants in 95 of 100 samples (Wilson). */
function describeScore({ files }) {
  const states = Object.values(files).flatMap(({ mutants }) => mutants.map(({ status }) => status));
  const count = (...wanted) => states.filter((status) => wanted.includes(status)).length;
  const killed = count("Killed", "Timeout");
  const judged = killed + count("Survived", "NoCoverage");
  const [z, rate] = [1.96, killed / judged];
  const middle = (rate + z ** 2 / (2 * judged)) / (1 + z ** 2 / judged);
  const margin =
    (z * Math.sqrt((rate * (1 - rate)) / judged + z ** 2 / (4 * judged ** 2))) / (1 + z ** 2 / judged);
  const percent = (value) => `${(100 * value).toFixed(1)} %`;
  const range =
    Number(values.share) < 1
      ? `, 95 % interval ${percent(middle - margin)} to ${percent(middle + margin)}`
      : "";
  // On a busy machine a time limit may end a run that would have passed.
  const late = count("Timeout");
  return `${name}: ${killed} of ${judged} mutants noticed, ${late} of them by a time limit: ${percent(rate)}${range} (${states.length} in all)`;
}
