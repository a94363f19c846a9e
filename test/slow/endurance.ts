/**
 * Many delegations under one supervisor: npm run test:endurance -- --delegations 10000 [--workers 50]
 * Stories of --workers workers run one after the other; every other worker changes a file. Fails when memory, file
 * descriptors, mounts or refs per story grow, or when a delegation costs the supervisor more CPU time at the end than at the beginning.
 */
import { execFileSync } from "node:child_process";
import { mkdirSync, mkdtempSync, readdirSync, readFileSync, realpathSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { parseArgs } from "node:util";
import { listMounts } from "../../src/workspace/prepare/overlay.ts";
import { removeFolder } from "../e2e/remove-folder.ts";
import { runCli, trustEverything } from "../e2e/run-cli.ts";
import { commitProject } from "./commit-project.ts";

const { values } = parseArgs({
  options: {
    delegations: { type: "string", default: "200" },
    workers: { type: "string", default: "50" },
    minutes: { type: "string", default: "180" },
  },
});
const WORKERS = Number(values.workers);
const TICKS_PER_SECOND = 100;
/** How much more a delegation may cost at the end, and how much memory may grow after the first quarter. */
const MAX_RATIO = 1.1;
const MAX_MEMORY_RATIO = 1.25;
const MAX_MOUNTS = 30;

interface Reading {
  readonly cpuMs: number;
  readonly wallMs: number;
  readonly memoryMb: number;
  readonly descriptors: number;
  readonly mounts: number;
  readonly refs: number;
}

const folder = realpathSync(mkdtempSync(join(tmpdir(), "ambit-endurance-")));
const [root, home] = [join(folder, "project"), join(folder, "home")];
const environment = { AMBIT_IDLE_MS: "600000", ...trustEverything };
const ambit = (...words: string[]) => runCli(words, { directory: root, home, environment });
try {
  makeProject();
  process.exitCode = await main();
} finally {
  await ambit("supervisor", "stop", "--force");
  removeFolder(folder);
}

async function main(): Promise<number> {
  const endAt = performance.now() + Number(values.minutes) * 60_000;
  const stories = Math.ceil(Number(values.delegations) / (WORKERS + 1));
  const readings: Reading[] = [];
  const pids = new Set<number>();
  for (let story = 1; story <= stories && performance.now() < endAt; story += 1) {
    const before = story === 1 ? 0 : readCpuMs(findSupervisor());
    const began = performance.now();
    const started = await ambit("run", `Story ${story}`, "--id", `E${story}`, "--agent", "lead", "--detach");
    if (started.status !== 0) throw new Error(started.stderr);
    await untilOver(`E${story}`);
    const pid = findSupervisor();
    pids.add(pid);
    readings.push(readState(pid, { cpuMs: readCpuMs(pid) - before, wallMs: performance.now() - began }));
    if (story % 5 === 1) console.log(`story ${story}: ${JSON.stringify(readings.at(-1))}`);
  }
  return report(readings, pids.size);
}

async function untilOver(story: string): Promise<void> {
  for (;;) {
    const { stdout } = await ambit("status", story, "--json");
    if (/"is_over":\s*true/.test(stdout)) return;
    await new Promise((resolve) => setTimeout(resolve, 200));
  }
}

function findSupervisor(): number {
  const text = readFileSync(join(root, ".git/ambit/supervisor.json"), "utf8");
  return Number(/"pid":\s*(\d+)/.exec(text)?.[1]);
}

function readCpuMs(pid: number): number {
  const fields = readFileSync(`/proc/${pid}/stat`, "utf8").split(") ")[1]?.split(" ") ?? [];
  return ((Number(fields[11]) + Number(fields[12])) / TICKS_PER_SECOND) * 1000;
}

function readState(pid: number, times: Pick<Reading, "cpuMs" | "wallMs">): Reading {
  const status = readFileSync(`/proc/${pid}/status`, "utf8");
  const git = (...words: string[]): string => execFileSync("git", words, { cwd: root, encoding: "utf8" });
  return {
    cpuMs: Math.round(times.cpuMs / (WORKERS + 1)),
    wallMs: Math.round(times.wallMs / (WORKERS + 1)),
    memoryMb: Math.round(Number(/VmRSS:\s*(\d+)/.exec(status)?.[1]) / 1024),
    descriptors: readdirSync(`/proc/${pid}/fd`).length,
    mounts: listMounts(folder).length,
    refs: git("for-each-ref").trimEnd().split("\n").length,
  };
}

/** The first story starts the supervisor, so the second is the first that is compared. */
function report(readings: readonly Reading[], supervisors: number): number {
  const some = Math.max(1, Math.round(100 / (WORKERS + 1)));
  const mean = (part: readonly Reading[], pick: (reading: Reading) => number): number =>
    part.reduce((sum, reading) => sum + pick(reading), 0) / Math.max(1, part.length);
  const [first, last] = [readings.slice(1, 1 + some), readings.slice(-some)];
  const ratio = (pick: (reading: Reading) => number): number => mean(last, pick) / mean(first, pick);
  const quarter = readings.slice(Math.floor(readings.length / 4)).slice(0, some);
  const memory = mean(last, ({ memoryMb }) => memoryMb) / mean(quarter, ({ memoryMb }) => memoryMb);
  const descriptors = ratio((reading) => reading.descriptors);
  const [cpu, wall] = [ratio(({ cpuMs }) => cpuMs), ratio(({ wallMs }) => wallMs)];
  const perStory =
    ((readings.at(-1)?.refs ?? 0) - (readings[1]?.refs ?? 0)) / Math.max(1, readings.length - 2);
  const mounts = Math.max(...readings.map((reading) => reading.mounts));
  const faults = [
    ...(supervisors === 1 ? [] : [`${supervisors} supervisors`]),
    ...(cpu <= MAX_RATIO ? [] : [`CPU time of a delegation grew ${cpu.toFixed(2)}×`]),
    ...(memory <= MAX_MEMORY_RATIO ? [] : [`memory grew ${memory.toFixed(2)}×`]),
    ...(descriptors <= MAX_RATIO ? [] : [`file descriptors grew ${descriptors.toFixed(2)}×`]),
    ...(perStory <= WORKERS / 2 ? [] : [`${perStory} refs more with each story`]),
    ...(mounts <= MAX_MOUNTS ? [] : [`${mounts} mounts`]),
  ];
  console.log(
    `${readings.length * (WORKERS + 1)} delegations in ${readings.length} stories under ${supervisors} supervisor(s); last hundred against first: ` +
      `CPU ${cpu.toFixed(2)}×, wall ${wall.toFixed(2)}×, descriptors ${descriptors.toFixed(2)}×; memory since the first quarter ${memory.toFixed(2)}×; ` +
      `${perStory.toFixed(1)} refs per story, at most ${mounts} mounts: ${faults.length} faults`,
  );
  for (const fault of faults) console.log(`  ${fault}`);
  return faults.length === 0 ? 0 : 1;
}

function makeProject(): void {
  mkdirSync(home, { recursive: true });
  const done = `printf '{"status":"completed","summary":"Done. It is short.","artifacts":[],"metadata":%s}' "$AMBIT_RETURN_METADATA" > "$AMBIT_RETURN_FILE"`;
  const agent = (line: string): string =>
    `---\nadapter: command\ncommand: ${JSON.stringify(["sh", "-c", line])}\n---\n`;
  const tasks = Array.from({ length: WORKERS }, (_, index) => ({
    description: `Part ${index}`,
    agent: index % 2 === 0 ? "writer" : "idler",
  }));
  const hand = `[ "$(ls parts 2>/dev/null)" ] || { ambit delegate --wait 0 --tasks "$(cat tasks.json)"; exit 0; }; ${done}`;
  const files = {
    "a.txt": "a\n",
    "tasks.json": JSON.stringify(tasks),
    ".ambit/agents/writer.md": agent(`mkdir -p parts; echo x > "parts/$$-$(date +%N).txt"; ${done}`),
    ".ambit/agents/idler.md": agent(done),
    ".ambit/agents/lead.md": agent(hand),
    "ambit.yaml": `delegation:\n  maxDelegationsPerStory: 100\n  fanOut: {depth0: 100}\n  parallel: {maxConcurrent: 8}\n`,
  };
  commitProject(root, files);
}
