/**
 * The hostile agent, ended again and again: npm run test:kill -- --runs 200
 * Each containment tier, each way of ending: its timeout, the kill of its supervisor, and the kill of its supervisor
 * while it is still starting. Fails when a tier that promises it leaves a process, when a tree takes longer than
 * 500 ms (p99) to die, or when the control without containment leaves nothing.
 * `--user 65534` runs the supervisors as that user, `--tiers subreaper,cgroup` limits the tiers.
 */
import { spawn } from "node:child_process";
import { chmodSync, mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setTimeout as delay } from "node:timers/promises";
import { parseArgs } from "node:util";
import { randomBase36 } from "../../src/base/ids.ts";
import {
  type ContainmentTier,
  containmentTiers,
  type ProcessRecord,
} from "../../src/containment/contained-process.ts";
import {
  findByToken,
  type Found,
  hostileAgent,
  HOSTILE_PROCESSES,
  isAlive,
  killByToken,
} from "../containment/hostile-agent.ts";
import { reapLeftovers } from "../../src/containment/reap-leftovers.ts";
import { bundleOwner, type Owner, startOwner } from "../containment/start-owner.ts";
import { percentilesOf } from "./percentiles.ts";
import { randomOfCase } from "./random.ts";

const endings = ["timeout", "supervisor killed", "supervisor killed while starting"] as const;
type Ending = (typeof endings)[number];

interface Case {
  readonly ending: Ending;
  readonly survivors: number;
  /** Only where a supervisor was killed in the tier that needs a later reaping. */
  readonly survivorsAfterReaping: number | undefined;
  readonly deadMs: number | undefined;
}

interface Row {
  readonly tier: ContainmentTier;
  readonly ending: Ending;
  readonly runs: number;
  readonly runsWithSurvivors: number;
  readonly survivors: number;
  readonly survivorsAfterReaping: number;
  readonly p50: number;
  readonly p99: number;
  readonly max: number;
  readonly passed: boolean;
}

const GOAL_MS = 500;
const LIMITS = {
  timeoutMs: 20_000,
  softLimit: 1,
  graceMs: 50,
  idleWarnMs: 60_000,
  idleStopMs: 60_000,
  outputMaxBytes: 1_000_000,
  memoryMaxBytes: null,
  maxProcesses: null,
  cpuMaxSeconds: null,
};

const { values } = parseArgs({
  options: {
    runs: { type: "string", default: "20" },
    seed: { type: "string", default: "1" },
    tiers: { type: "string", default: containmentTiers.join(",") },
    user: { type: "string" },
  },
});
const runs = Number(values.runs);
const series = `zoo-${randomBase36(8)}`;
const prefix =
  values.user === undefined
    ? []
    : ["/usr/bin/setpriv", `--reuid=${values.user}`, `--regid=${values.user}`, "--clear-groups"];
const directory = mkdtempSync(join(tmpdir(), "ambit-zoo-"));
chmodSync(directory, 0o777);
const bundle = await bundleOwner();
try {
  process.exitCode = await main();
} finally {
  killByToken(series);
  bundle.remove();
  rmSync(directory, { recursive: true, force: true });
}

async function main(): Promise<number> {
  const control = await runControl();
  const rows: Row[] = [];
  for (const tier of containmentTiers.filter((name) => values.tiers.split(",").includes(name))) {
    for (const ending of endings) {
      const row = await runSeries(tier, ending);
      rows.push(row);
      process.stderr.write(`${JSON.stringify(row)}\n`);
    }
  }
  const lines = rows.map((row) => {
    const times = [row.p50, row.p99, row.max].map((ms) => (ms === 0 ? "-" : ms.toFixed(0)));
    const counts = [row.runs, row.survivors, row.survivorsAfterReaping];
    return [row.tier, row.ending, ...counts, ...times, row.passed ? "ok" : "FAILED"];
  });
  print(
    `${HOSTILE_PROCESSES} processes per agent${values.user === undefined ? "" : `, as user ${values.user}`}`,
  );
  print("| tier | ended by | runs | survivors | after reaping | p50 ms | p99 ms | max ms | |");
  print("|---|---|---|---|---|---|---|---|---|");
  for (const line of lines) print(`| ${line.join(" | ")} |`);
  print(
    `control without containment: ${control} of ${HOSTILE_PROCESSES} processes survived SIGKILL of the agent`,
  );
  return control > 0 && rows.every(({ passed }) => passed) ? 0 : 1;
}

/** What a plain kill leaves; it proves that the agent is as hostile as it looks. */
async function runControl(): Promise<number> {
  const token = `${series}-control`;
  const [program = "", ...rest] = hostileAgent(token, "stay");
  const child = spawn(program, rest, { stdio: ["ignore", "pipe", "inherit"], detached: true });
  await new Promise((resolve) => child.stdout.once("data", resolve));
  child.kill("SIGKILL");
  await new Promise((resolve) => child.once("exit", resolve));
  const left = findByToken(token).length;
  killByToken(token);
  return left;
}

async function runSeries(tier: ContainmentTier, ending: Ending): Promise<Row> {
  const cases: Case[] = [];
  for (let index = 0; index < runs; index += 1) cases.push(await runCase(tier, ending, index));
  // Something may have come back to life after it was looked at: nothing of the whole series may be there.
  const late = findByToken(`${series}-${tier}-${ending.replaceAll(" ", "-")}-`).length;
  const survivors = cases.reduce((sum, item) => sum + item.survivors, 0) + late;
  const afterReaping =
    cases.reduce((sum, item) => sum + (item.survivorsAfterReaping ?? item.survivors), 0) + late;
  const times = percentilesOf(cases.flatMap(({ deadMs }) => deadMs ?? []));
  const promises = tier !== "process-group";
  return {
    tier,
    ending,
    runs,
    runsWithSurvivors: cases.filter((item) => item.survivors > 0).length,
    survivors,
    survivorsAfterReaping: afterReaping,
    ...times,
    passed: !promises || (survivors === 0 && times.p99 < GOAL_MS),
  };
}

async function runCase(tier: ContainmentTier, ending: Ending, index: number): Promise<Case> {
  const token = `${series}-${tier}-${ending.replaceAll(" ", "-")}-${index}-`;
  const owner = startOwner(
    bundle.path,
    {
      argv: hostileAgent(token, "stay"),
      cwd: "/",
      environment: { PATH: "/usr/bin:/bin" },
      logDirectory: join(directory, token),
      runId: token,
      limits: LIMITS,
      tier,
      timeoutAtReady: ending === "timeout",
    },
    prefix,
  );
  const { record } = await owner.seen("launched");
  const since = await end(owner, ending, index);
  const found = [...since.found, { pid: record.identity.pid, start: String(record.identity.startTime) }];
  // Where survivors are expected there is no point in waiting long for their end.
  const patienceMs = tier === "process-group" ? 300 : 3000;
  const deadMs = waitUntilDead(found, since.atMs, patienceMs);
  const survivors = await countSurvivors(token, patienceMs);
  const reaped = tier === "process-group" && ending !== "timeout" ? await reap(record, token) : undefined;
  // A group may be left, without processes, when the supervisor died before its launcher was awake.
  if (record.cgroup !== null) await reapLeftovers([record]);
  killByToken(token);
  rmSync(join(directory, token), { recursive: true, force: true });
  return { ending, survivors, survivorsAfterReaping: reaped, deadMs };
}

interface Since {
  readonly atMs: number;
  readonly found: readonly Found[];
}

/** Ends the tree in the way asked for; returns the moment of it and the processes that were there. */
async function end(owner: Owner, ending: Ending, index: number): Promise<Since> {
  const token = await tokenOf(owner);
  if (ending === "supervisor killed while starting") {
    await delay(randomOfCase(Number(values.seed), index).below(60));
    return killOwner(owner, []);
  }
  await owner.seen("line-read", ({ text }) => text === "ready");
  const found = findByToken(token);
  if (ending === "supervisor killed") return killOwner(owner, found);
  const { atMs } = await owner.seen("kill-started");
  return { atMs, found };
}

async function tokenOf(owner: Owner): Promise<string> {
  const { record } = await owner.seen("launched");
  return record.runId;
}

function killOwner(owner: Owner, found: readonly Found[]): Since {
  const atMs = performance.timeOrigin + performance.now();
  owner.child.kill("SIGKILL");
  return { atMs, found };
}

/** Looks without yielding, so that the figure holds no event loop of ours. */
function waitUntilDead(found: readonly Found[], sinceMs: number, patienceMs: number): number | undefined {
  const pause = new Int32Array(new SharedArrayBuffer(4));
  for (;;) {
    const elapsedMs = performance.timeOrigin + performance.now() - sinceMs;
    if (!found.some(isAlive)) return elapsedMs;
    if (elapsedMs > patienceMs) return undefined;
    Atomics.wait(pause, 0, 0, 1);
  }
}

/** A process just being born may show up late: only what stays is a survivor. */
async function countSurvivors(token: string, patienceMs: number): Promise<number> {
  const untilMs = performance.now() + patienceMs;
  let left = findByToken(token);
  while (left.length > 0 && performance.now() < untilMs) {
    await delay(10);
    left = findByToken(token);
  }
  return left.length;
}

async function reap(record: ProcessRecord, token: string): Promise<number> {
  const reaper = startOwner(bundle.path, { reap: [record] }, prefix);
  await reaper.seen("reaped");
  return countSurvivors(token, 300);
}

function print(text: string): void {
  process.stdout.write(`${text}\n`);
}
