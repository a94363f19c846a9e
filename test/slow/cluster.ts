/**
 * Runs a cluster of real `ambit worker` processes and takes machines away from it:
 *   npm run test:cluster -- --nodes 4 --slots 8 --at-once 30 --limit 24 --kill-every 15 --minutes 5 --dispatch postgres
 * `--freeze` stops machines past their lease and cuts others off from the database, instead of killing them; `--kill-coordinator 20` kills the coordinator every so
 * many seconds; `--outages` stops the database three times and hides the hub once. What carries offers is emptied three times. Fails when something is lost, done twice, runs above the limit, overlaps or is left behind.
 * `--files 20000` makes a repository of so many files. `--figures` writes what was seen into docs/figures/cluster.md.
 * `--without attempt-fence|reconciler|self-fence|limit|push` takes a defence out; then the run must fail.
 */
import { mkdtempSync, realpathSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setTimeout as delay } from "node:timers/promises";
import { parseArgs } from "node:util";
import { removeFolder } from "../e2e/remove-folder.ts";
import { runChaos, type ChaosOptions } from "./cluster/run-chaos.ts";
import { coordinate, work } from "./cluster/roles.ts";
import { defences, telling, type Defence } from "./cluster/defences.ts";
import { writeFigures } from "./cluster/write-figures.ts";

const { values } = parseArgs({
  options: {
    nodes: { type: "string", default: "3" },
    slots: { type: "string", default: "4" },
    "at-once": { type: "string", default: "12" },
    limit: { type: "string", default: "9" },
    "kill-every": { type: "string", default: "15" },
    minutes: { type: "string", default: "1" },
    dispatch: { type: "string", default: "postgres" },
    freeze: { type: "boolean", default: false },
    outages: { type: "boolean", default: false },
    "kill-coordinator": { type: "string", default: "0" },
    "agent-seconds": { type: "string", default: "30-60" },
    lease: { type: "string", default: "15" },
    "keep-every": { type: "string", default: "60" },
    files: { type: "string", default: "0" },
    "drain-minutes": { type: "string", default: "6" },
    without: { type: "string" },
    seed: { type: "string", default: "1" },
    keep: { type: "boolean", default: false },
    figures: { type: "boolean", default: false },
    worker: { type: "string" },
    coordinator: { type: "string" },
  },
});

if (values.worker !== undefined) await work(JSON.parse(values.worker)).then(() => process.exit(0));
else if (values.coordinator !== undefined)
  await coordinate(JSON.parse(values.coordinator)).then(() => process.exit(0));
else process.exitCode = await main();

async function main(): Promise<number> {
  const folder = realpathSync(mkdtempSync(join(tmpdir(), "ambit-chaos-")));
  try {
    const { faults, figures } = await runChaos(folder, readOptions());
    for (const line of figures) console.log(line);
    console.log(`${faults.length} faults`);
    for (const fault of faults.slice(0, 20)) console.log(`  ${fault}`);
    const { without } = readOptions();
    const telltale = faults.find((fault) => without !== undefined && telling[without].test(fault));
    if (without !== undefined) console.log(`without ${without}: ${telltale ?? "NOT noticed"}`);
    const outcome = `${faults.length} faults${telltale === undefined ? "" : `, noticed: ${telltale}`}`;
    if (values.figures) writeFigures({ words: process.argv.slice(2), outcome, figures });
    const isRight = without === undefined ? faults.length === 0 : telltale !== undefined;
    return isRight ? 0 : 1;
  } finally {
    if (values.keep) console.log(folder);
    else await removeSoon(folder);
  }
}

function readOptions(): ChaosOptions {
  const [least = 30, most = least] = values["agent-seconds"].split("-").map(Number);
  return {
    nodes: Number(values.nodes),
    slots: Number(values.slots),
    atOnce: Number(values["at-once"]),
    limit: Number(values.limit),
    killEveryMs: Number(values["kill-every"]) * 1000,
    runMs: Number(values.minutes) * 60_000,
    drainMs: Number(values["drain-minutes"]) * 60_000,
    dispatch: values.dispatch === "redis" ? "redis" : "postgres",
    freezes: values.freeze,
    killCoordinatorMs: Number(values["kill-coordinator"]) * 1000,
    hasOutages: values.outages,
    agentSeconds: [least, most],
    leaseSeconds: Number(values.lease),
    keepSeconds: Number(values["keep-every"]),
    files: Number(values.files),
    seed: Number(values.seed),
    without: defences.find((one): one is Defence => one === values.without),
  };
}

/** Processes that were just ended may still write. */
async function removeSoon(folder: string): Promise<void> {
  for (let tries = 0; tries < 20; tries += 1) {
    try {
      return removeFolder(folder);
    } catch {
      await delay(500);
    }
  }
}
