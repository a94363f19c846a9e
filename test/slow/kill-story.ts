/**
 * Kills the runtime of a whole story at every event of its journal, before and after the effect, and again inside
 * recovery: npm run test:kill-story -- --points 500 --recovery 50 --seed 1
 * Fails when a delegation has not exactly one end, a merge is applied twice or lost, something is left behind or the
 * user's files changed; and when a runtime that never recovers goes unnoticed.
 */
import { spawn } from "node:child_process";
import { mkdirSync, mkdtempSync, realpathSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { parseArgs } from "node:util";
import { findFaults, userState } from "./kill-story/check-end.ts";
import { makeStoryProject } from "./kill-story/make-story.ts";
import { runOnce, type RunnerOrder } from "./kill-story/runner.ts";
import { createRandom, type Random } from "./random.ts";
import { removeFolder } from "../e2e/remove-folder.ts";

const { values } = parseArgs({
  options: {
    points: { type: "string", default: "20" },
    recovery: { type: "string", default: "4" },
    seed: { type: "string", default: "1" },
    lanes: { type: "string", default: "2" },
    keep: { type: "boolean", default: false },
    runner: { type: "string" },
  },
});

const RUN_LIMIT_MS = 120_000;
const MAX_AFTER_MS = 120;
/** About how many events the story has when it is not disturbed. */
const STORY_EVENTS = 75;

if (values.runner === undefined) process.exitCode = await main();
else {
  await runOnce(JSON.parse(values.runner));
  process.exit(0);
}

interface Tally {
  points: number;
  kills: number;
  inRecovery: number;
  readonly faults: string[];
}

async function main(): Promise<number> {
  const random = createRandom(Number(values.seed));
  const tally: Tally = { points: 0, kills: 0, inRecovery: 0, faults: [] };
  const began = performance.now();
  const points = Number(values.points);
  const recoveries = Number(values.recovery);
  const queue = Array.from({ length: points }, (_, index) => ({
    killAt: 1 + (index % STORY_EVENTS),
    afterMs: random.chance(0.5) ? 0 : 1 + random.below(MAX_AFTER_MS),
    again: index < recoveries ? 1 + random.below(3) : 0,
    seed: random.below(2 ** 31),
  }));
  const lane = async (): Promise<void> => {
    for (let next = queue.pop(); next !== undefined; next = queue.pop()) await attack(next, tally);
  };
  await Promise.all(Array.from({ length: Number(values.lanes) }, lane));
  const blind = await isBlind();
  const seconds = ((performance.now() - began) / 1000).toFixed(0);
  console.log(
    `${tally.points} points, ${tally.kills} kills (${tally.inRecovery} inside recovery), ${seconds} s: ${tally.faults.length} faults`,
  );
  for (const fault of tally.faults.slice(0, 20)) console.log(`  ${fault}`);
  if (blind) console.log("  the control without recovery was not noticed");
  return tally.faults.length === 0 && !blind ? 0 : 1;
}

interface Attack {
  readonly killAt: number;
  readonly afterMs: number;
  readonly again: number;
  readonly seed: number;
}

async function attack(plan: Attack, tally: Tally): Promise<void> {
  const folder = realpathSync(mkdtempSync(join(tmpdir(), "ambit-kill-story-")));
  const root = join(folder, "project");
  const random: Random = createRandom(plan.seed);
  mkdirSync(root);
  makeStoryProject(root);
  const before = userState(root);
  const order = { root, home: folder };
  const faults: string[] = [];
  try {
    const first = await run({ ...order, killAt: plan.killAt, afterMs: plan.afterMs });
    if (first === "killed") tally.kills += 1;
    // Each next runtime is killed soon after it began, which is inside recovery or just behind it.
    for (let again = 0; again < plan.again; again += 1) {
      const end = await run({ ...order, killAt: 1, afterMs: random.below(MAX_AFTER_MS * 2) });
      if (end === "killed") {
        tally.kills += 1;
        tally.inRecovery += 1;
      }
    }
    const last = await run({ ...order, killAt: 0, afterMs: 0 });
    if (last !== "ended") faults.push(`the last runtime ${last}`);
    faults.push(...(await findFaults(root, before)));
  } catch (error) {
    faults.push(String(error));
  }
  tally.points += 1;
  tally.faults.push(
    ...faults.map((fault) => `${JSON.stringify(plan)} ${fault}${values.keep ? ` in ${folder}` : ""}`),
  );
  if (!values.keep || faults.length === 0) removeFolder(folder);
  if (tally.points % 10 === 0) console.error(`${tally.points} points, ${tally.faults.length} faults`);
}

/** Killed and never taken up again: if that counts as fine, the suite sees nothing. */
async function isBlind(): Promise<boolean> {
  const folder = realpathSync(mkdtempSync(join(tmpdir(), "ambit-kill-story-")));
  const root = join(folder, "project");
  mkdirSync(root);
  makeStoryProject(root);
  const before = userState(root);
  await run({ root, home: folder, killAt: 30, afterMs: 0 });
  const faults = await findFaults(root, before).catch((error: unknown) => [String(error)]);
  removeFolder(folder);
  return faults.length === 0;
}

function run(order: RunnerOrder): Promise<"ended" | "killed" | "hung" | "failed"> {
  const child = spawn(process.execPath, [process.argv[1] ?? "", "--runner", JSON.stringify(order)], {
    stdio: ["ignore", "ignore", "pipe"],
  });
  let errors = "";
  child.stderr.on("data", (chunk: Buffer) => (errors += chunk.toString("utf8")));
  let hung = false;
  const timer = setTimeout(() => {
    hung = true;
    child.kill("SIGKILL");
  }, RUN_LIMIT_MS);
  return new Promise((resolve) => {
    child.on("exit", (code, signal) => {
      clearTimeout(timer);
      if (code !== 0 && signal === null) console.error(errors.slice(-2000));
      resolve(hung ? "hung" : signal === "SIGKILL" ? "killed" : code === 0 ? "ended" : "failed");
    });
  });
}
