/**
 * The pipeline in a simulated world that crashes it: npm run test:simulate -- --crashes 100000 --managers 1000 --seed 1
 * Fails when a promise is broken, when free text in a return changes what happens, when the same seed gives another
 * history, or when a planted fault goes unnoticed. Each fault comes with the line that shows it again.
 */
import { spawn } from "node:child_process";
import { existsSync, rmSync } from "node:fs";
import { availableParallelism, tmpdir } from "node:os";
import { join as joinPath } from "node:path";
import { parseArgs } from "node:util";
import { planCase, type CaseWish } from "../simulation/case-plan.ts";
import { plantedFaults, type Planted } from "../simulation/planted.ts";
import {
  join,
  replayLine,
  runCases,
  seedOfCase,
  type Fault,
  type Share,
  type Tally,
} from "../simulation/run-cases.ts";
import { simulate } from "../simulation/simulation.ts";

const { values } = parseArgs({
  options: {
    crashes: { type: "string", default: "2000" },
    managers: { type: "string", default: "100" },
    seed: { type: "string", default: "1" },
    jobs: { type: "string", default: String(Math.min(8, availableParallelism())) },
    case: { type: "string" },
    "from-crash": { type: "string", default: "0" },
    adversarial: { type: "boolean", default: false },
    crowded: { type: "boolean", default: false },
    plant: { type: "string" },
    share: { type: "string" },
  },
});

const CONTROL_CRASHES = 4000;
const TWICE_CASES = 40;
const SHOWN_FAULTS = 10;
const unlimited = Number.MAX_SAFE_INTEGER;
const ram = existsSync("/dev/shm") ? "/dev/shm" : tmpdir();
const folder = joinPath(ram, `ambit-simulate-${process.pid}`);
const seed = Number(values.seed);
// The journal is replayed beside the store, which must not cost a disk.
process.env["TMPDIR"] = ram;

try {
  if (values.share !== undefined) await workOn(values.share);
  else if (values.case === undefined) process.exitCode = await main();
  else process.exitCode = await replay(Number(values.case));
} finally {
  rmSync(folder, { recursive: true, force: true });
}

async function main(): Promise<number> {
  const crashing = await deal({}, { crashes: Number(values.crashes), managers: unlimited });
  const inLine: CaseWish = { isCrowded: true };
  const crowded = await deal(inLine, {
    crashes: Math.ceil(Number(values.crashes) / 4),
    managers: unlimited,
  });
  const adversarial: CaseWish = { isAdversarial: true, crashes: 3 };
  const managers = await deal(adversarial, { crashes: unlimited, managers: Number(values.managers) });
  const differing = await findDifferences();
  const unnoticed = await findUnnoticed();
  report({ crashing, managers, differing, unnoticed });
  for (const fault of crashing.faults.slice(0, SHOWN_FAULTS)) show(fault, {});
  for (const fault of crowded.faults.slice(0, SHOWN_FAULTS)) show(fault, inLine);
  for (const fault of managers.faults.slice(0, SHOWN_FAULTS)) show(fault, adversarial);
  const runs = [crashing, crowded, managers].reduce((sum, tally) => sum + tally.faults.length, 0);
  const faults = runs + differing.length + unnoticed.length;
  return faults === 0 ? 0 : 1;
}

/** One process for each core: a case knows nothing of the others. */
async function deal(wish: CaseWish, goal: Pick<Share, "crashes" | "managers">): Promise<Tally> {
  const jobs = Math.max(1, Number(values.jobs));
  const part = (whole: number): number => (whole === unlimited ? whole : Math.ceil(whole / jobs));
  const shares = Array.from({ length: jobs }, (_, index) => ({
    seed,
    firstCase: index,
    every: jobs,
    wish,
    crashes: part(goal.crashes),
    managers: part(goal.managers),
  }));
  return join(await Promise.all(shares.map(inOwnProcess)));
}

function inOwnProcess(share: Share): Promise<Tally> {
  const program = process.argv[1] ?? "";
  const child = spawn(process.execPath, ["--enable-source-maps", program, "--share", JSON.stringify(share)], {
    stdio: ["ignore", "pipe", "inherit"],
  });
  let answer = "";
  child.stdout.on("data", (chunk) => (answer += String(chunk)));
  return new Promise((resolve, reject) => {
    child.on("exit", (code) => {
      if (code === 0) resolve(JSON.parse(answer));
      else reject(new Error(`a share of the simulation ended with ${code ?? "a signal"}`));
    });
  });
}

async function workOn(share: string): Promise<void> {
  const tally = await runCases(JSON.parse(share), folder);
  process.stdout.write(JSON.stringify(tally));
}

/** The same seed gives the same journal, byte for byte; without free text the same things happen. */
async function findDifferences(): Promise<readonly string[]> {
  const differing: string[] = [];
  for (let number = 0; number < TWICE_CASES; number += 1) {
    const once = await simulate(planCase(seedOfCase(seed, number)), folder);
    const twice = await simulate(planCase(seedOfCase(seed, number)), folder);
    const plain = await simulate(planCase(seedOfCase(seed, number), { isPlain: true }), folder);
    if (once.head !== twice.head) differing.push(`case ${number}: two histories of one seed`);
    if (whatHappened(once) !== whatHappened(plain))
      differing.push(`case ${number}: free text changed what happened`);
  }
  return differing;
}

/** A return that came too late is ignored, and whether it still comes before the world ends is chance. */
function whatHappened({ transitions }: { readonly transitions: readonly string[] }): string {
  return transitions.filter((line) => !line.startsWith("late-return-ignored ")).join("\n");
}

/** Without these the judges could be blind without a sign of it. */
async function findUnnoticed(): Promise<readonly string[]> {
  const unnoticed: string[] = [];
  for (const planted of plantedFaults) {
    const { faults } = await runCases(controlOf(planted), folder);
    if (faults.length === 0) unnoticed.push(planted);
  }
  return unnoticed;
}

function controlOf(planted: Planted): Share {
  return {
    seed,
    firstCase: 0,
    every: 1,
    wish: { planted },
    crashes: CONTROL_CRASHES,
    managers: unlimited,
    most: 1,
  };
}

async function replay(number: number): Promise<number> {
  const from = Number(values["from-crash"]);
  const wish: CaseWish = {
    ...(values.adversarial ? { isAdversarial: true, crashes: 3 } : {}),
    ...(values.crowded ? { isCrowded: true } : {}),
    ...plantedWish(),
  };
  const trace = (line: string): void => {
    if (Number.parseInt(line, 10) >= from) process.stdout.write(`${line}\n`);
  };
  const { transitions, ...result } = await simulate(planCase(seedOfCase(seed, number), wish), folder, trace);
  process.stdout.write(`${JSON.stringify({ ...result, transitions: transitions.length }, null, 1)}\n`);
  return result.violations.length === 0 ? 0 : 1;
}

function plantedWish(): CaseWish {
  const planted = plantedFaults.find((fault) => fault === values.plant);
  return planted === undefined ? {} : { planted };
}

function show(fault: Fault, wish: CaseWish): void {
  process.stdout.write(`${fault.rule}: ${fault.text}\n  ${replayLine(fault, wish)}\n`);
}

interface Report {
  readonly crashing: Tally;
  readonly managers: Tally;
  readonly differing: readonly string[];
  readonly unnoticed: readonly string[];
}

function report({ crashing, managers, differing, unnoticed }: Report): void {
  const { faults, ...figures } = crashing;
  const summary = { ...figures, faults: faults.length, adversarial: { ...managers, outcomes: undefined } };
  const rows = [
    ["crashes", crashing.crashes],
    ["cases / steps / events", `${crashing.cases} / ${crashing.steps} / ${crashing.events}`],
    ["delegations / merges", `${crashing.delegations} / ${crashing.merges}`],
    ["seconds, crashes per second", `${crashing.seconds.toFixed(0)}, ${rate(crashing)}`],
    ["broken promises", faults.length],
    ["adversarial managers / requests refused", `${managers.managers} / ${managers.refused}`],
    ["limits overrun, or other promises broken by them", managers.faults.length],
    ["histories that differ", differing.length === 0 ? 0 : differing.join("; ")],
    ["planted faults noticed", `${plantedFaults.length - unnoticed.length} of ${plantedFaults.length}`],
    ...(unnoticed.length === 0 ? [] : [["NOT noticed", unnoticed.join(", ")]]),
  ];
  process.stdout.write(`${JSON.stringify(summary, null, 1)}\n\n| what | result |\n|---|---|\n`);
  process.stdout.write(`${rows.map((row) => `| ${row.join(" | ")} |`).join("\n")}\n`);
}

function rate({ crashes, seconds }: Tally): string {
  return (crashes / Math.max(1, seconds)).toFixed(0);
}
