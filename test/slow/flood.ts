/**
 * Agents that take too much, beside one that behaves: npm run test:flood -- --bytes 4G
 * A flood with and without newlines (each agent tries to write --bytes; the file is capped at --cap), endless forks,
 * a memory hog, a CPU hog. Fails when one is not stopped with its code, when a file outgrows its cap, when a process
 * is left, when this process (the owner) needs 150 MB or more, or when the well-behaved agent's lines reach us more
 * than 100 ms late (p99). The bomb and the hog have ceilings of their own, so that a failure costs no machine.
 */
import { mkdtempSync, rmSync, statSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setTimeout as delay } from "node:timers/promises";
import { parseArgs } from "node:util";
import { randomBase36 } from "../../src/base/ids.ts";
import {
  type ContainedProcess,
  type ContainmentEvent,
  type ContainmentLimits,
  type ContainmentTier,
  containmentTiers,
  type ExitFacts,
} from "../../src/containment/contained-process.ts";
import { launchProcess } from "../../src/containment/launch.ts";
import { probeContainment } from "../../src/containment/probe-containment.ts";
import { findByToken } from "../containment/hostile-agent.ts";
import { type Percentiles, percentilesOf } from "./percentiles.ts";

interface Hog {
  readonly name: string;
  readonly script: string;
  readonly limits?: Partial<ContainmentLimits>;
  readonly code: string;
}

interface Row {
  readonly tier: ContainmentTier;
  readonly name: string;
  readonly rounds: readonly Round[];
  readonly left: number;
  readonly rssMb: number;
  readonly lag: Percentiles;
  /** Of the same sibling between the rounds. */
  readonly calmLag: Percentiles;
  readonly lagSamples: number;
  readonly problems: readonly string[];
}

const MIB = 1024 ** 2;
const RSS_GOAL_MB = 150;
const LAG_GOAL_MS = 100;
const CALM_MS = 700;
const AFTERMATH_MS = 500;
/** A line with the time it was written, a hundred times a second. */
const SIBLING =
  "use Time::HiRes; $| = 1; while (1) { printf qq(%.6f\\n), Time::HiRes::time(); Time::HiRes::sleep(0.01) }";

const { values } = parseArgs({
  options: {
    bytes: { type: "string", default: "4G" },
    cap: { type: "string", default: "64M" },
    tiers: { type: "string" },
    rounds: { type: "string", default: "5" },
  },
});
const capBytes = parseSize(values.cap);
const directory = mkdtempSync(join(tmpdir(), "ambit-flood-"));
const series = `flood-${randomBase36(10)}`;
const hogs = listHogs(parseSize(values.bytes));
try {
  process.exitCode = await main();
} finally {
  rmSync(directory, { recursive: true, force: true });
}

function listHogs(bytes: number): readonly Hog[] {
  const flood = (line: string): string =>
    `my $b = (${line}) x (1 << 16); my $left = ${bytes}; while ($left > 0) { $left -= syswrite(STDOUT, $b) || 1 }`;
  // Every process takes a token before it forks: exponential, and never more than the tokens.
  const bomb =
    "pipe(my $r, my $w); syswrite $w, 'x' x 400; $SIG{TERM} = 'IGNORE'; use Fcntl; fcntl($r, F_SETFL, O_NONBLOCK);" +
    "while (1) { if (sysread($r, my $t, 1)) { fork() } else { select(undef, undef, undef, 0.05) } }";
  const memory = "my @x; for (1 .. 128) { push @x, 'x' x (16 << 20) } sleep 300";
  return [
    { name: "flood with newlines", script: flood(String.raw`qq(y\n)`), code: "OUTPUT_LIMIT_EXCEEDED" },
    { name: "flood without newlines", script: flood("qq(yy)"), code: "OUTPUT_LIMIT_EXCEEDED" },
    { name: "endless forks", script: bomb, limits: { maxProcesses: 64 }, code: "RESOURCE_LIMIT_EXCEEDED" },
    {
      name: "memory hog",
      script: memory,
      limits: { memoryMaxBytes: 256 * MIB },
      code: "RESOURCE_LIMIT_EXCEEDED",
    },
    { name: "CPU hog", script: "1 while 1", limits: { cpuMaxSeconds: 2 }, code: "RESOURCE_LIMIT_EXCEEDED" },
  ];
}

async function main(): Promise<number> {
  const { tiers } = await probeContainment();
  const wanted = values.tiers?.split(",") ?? containmentTiers;
  const rows: Row[] = [];
  for (const { tier, available } of tiers) {
    if (!available || !wanted.includes(tier)) continue;
    for (const hog of hogs) {
      const row = await measure(tier, hog);
      rows.push(row);
      process.stderr.write(`${JSON.stringify(row)}\n`);
    }
  }
  report(rows);
  return rows.length > 0 && rows.every(({ problems }) => problems.length === 0) ? 0 : 1;
}

/**
 * The same hog several times beside one sibling, with calm between: a percentile needs more lines than one short life
 * gives, and only the calm of the same minute tells what the hog added. We do nothing else meanwhile.
 */
async function measure(tier: ContainmentTier, hog: Hog): Promise<Row> {
  const token = `${series}-${randomBase36(6)}`;
  const sibling = await startSibling(tier);
  await delay(500);
  const calm: number[] = [];
  const busy: number[] = [];
  let rssMb = 0;
  const watch = setInterval(() => (rssMb = Math.max(rssMb, process.memoryUsage.rss() / 1e6)), 10);
  const ended: { readonly facts: ExitFacts; readonly logs: string }[] = [];
  for (let round = 0; round < Number(values.rounds); round += 1) {
    sibling.lags.length = 0;
    await delay(CALM_MS);
    calm.push(...sibling.lags.splice(0));
    ended.push(await runHog(tier, hog, token));
    // What the end itself delays counts as well.
    await delay(AFTERMATH_MS);
    busy.push(...sibling.lags.splice(0));
  }
  clearInterval(watch);
  await sibling.contained.stop("measured", { graceMs: 0 });
  const left = findByToken(token).length;
  const rounds = ended.map(({ facts, logs }) => ({ facts, fileBytes: sizeOf(logs) }));
  for (const { logs } of ended) rmSync(logs, { recursive: true, force: true });
  const lags = { lag: percentilesOf(busy), calmLag: percentilesOf(calm), lagSamples: busy.length };
  const row = { tier, name: hog.name, rounds, left, rssMb, ...lags };
  return { ...row, problems: findProblems(row, hog) };
}

interface Round {
  readonly facts: ExitFacts;
  readonly fileBytes: number;
}

async function runHog(
  tier: ContainmentTier,
  hog: Hog,
  token: string,
): Promise<{ readonly facts: ExitFacts; readonly logs: string }> {
  const logs = join(directory, randomBase36(8));
  const limits = hog.limits ?? {};
  const contained = await start({ tier, logs, token, script: hog.script, limits, onEvent: () => undefined });
  return { facts: await contained.exited, logs };
}

function sizeOf(logs: string): number {
  return statSync(join(logs, "stdout")).size + statSync(join(logs, "stderr")).size;
}

function findProblems(row: Omit<Row, "problems">, hog: Hog): readonly string[] {
  const wrong = row.rounds.filter(({ facts }) => facts.errorCode !== hog.code);
  const large = row.rounds.filter(({ fileBytes }) => fileBytes > capBytes);
  return [
    ...wrong.map(({ facts }) => `ended with ${String(facts.errorCode)}`),
    ...large.map(({ fileBytes }) => `${fileBytes} bytes on disk`),
    ...(row.left === 0 ? [] : [`${row.left} processes left`]),
    ...(row.rssMb < RSS_GOAL_MB ? [] : [`${row.rssMb.toFixed(0)} MB`]),
    ...(row.lag.p99 <= LAG_GOAL_MS ? [] : [`lag ${row.lag.p99.toFixed(0)} ms`]),
    ...(row.lagSamples >= 100 ? [] : [`only ${row.lagSamples} lines from the sibling`]),
  ];
}

interface Sibling {
  readonly contained: ContainedProcess;
  readonly lags: number[];
}

async function startSibling(tier: ContainmentTier): Promise<Sibling> {
  const lags: number[] = [];
  const onEvent = (event: ContainmentEvent): void => {
    if (event.kind === "line-read" && event.stream === "stdout")
      lags.push(Date.now() - Number(event.text) * 1000);
  };
  const logs = join(directory, randomBase36(8));
  const token = `${series}-sibling`;
  return { contained: await start({ tier, logs, token, script: SIBLING, limits: {}, onEvent }), lags };
}

interface Start {
  readonly tier: ContainmentTier;
  readonly logs: string;
  readonly token: string;
  readonly script: string;
  readonly limits: Partial<ContainmentLimits>;
  readonly onEvent: (event: ContainmentEvent) => void;
}

function start({ tier, logs, token, script, limits, onEvent }: Start): Promise<ContainedProcess> {
  return launchProcess({
    argv: ["/usr/bin/perl", "-e", script, "--", token],
    cwd: directory,
    environment: { PATH: "/usr/bin:/bin" },
    logDirectory: logs,
    runId: randomBase36(20),
    tier,
    onEvent,
    limits: {
      timeoutMs: 120_000,
      softLimit: 1,
      graceMs: 1000,
      idleWarnMs: 120_000,
      idleStopMs: 120_000,
      outputMaxBytes: capBytes,
      memoryMaxBytes: null,
      maxProcesses: null,
      cpuMaxSeconds: null,
      ...limits,
    },
  });
}

function report(rows: readonly Row[]): void {
  print(`each flood tries ${values.bytes}, capped at ${values.cap}; largest of ${values.rounds} rounds each`);
  print(
    "| tier | agent | code | stopped ms | wrote MB | kept MB | peak | owner MB | lag p50/p99/max ms | calm lag | lines | |",
  );
  print("|---|---|---|---|---|---|---|---|---|---|---|---|");
  for (const row of rows) {
    const verdict = row.problems.length === 0 ? "ok" : `FAILED: ${row.problems.join(", ")}`;
    const owner = [row.rssMb.toFixed(0), show(row.lag), show(row.calmLag), row.lagSamples];
    print(`| ${[row.tier, row.name, ...describeRounds(row.rounds), ...owner, verdict].join(" | ")} |`);
  }
}

function describeRounds(rounds: readonly Round[]): readonly string[] {
  const largest = (pick: (round: Round) => number): number => Math.max(...rounds.map(pick));
  const codes = new Set(rounds.map(({ facts }) => String(facts.errorCode)));
  const stoppedMs = largest(({ facts }) => facts.durationMs);
  const wroteMb = largest(({ facts }) => facts.outputBytes) / 1e6;
  const keptMb = largest(({ fileBytes }) => fileBytes) / 1e6;
  const processes = largest(({ facts }) => facts.usage?.peakProcesses ?? 0);
  const memoryMb = largest(({ facts }) => facts.usage?.peakMemoryBytes ?? 0) / 1e6;
  const peak = processes === 0 ? "-" : `${processes} processes, ${memoryMb.toFixed(0)} MB`;
  return [[...codes].join(), stoppedMs.toFixed(0), wroteMb.toFixed(1), keptMb.toFixed(1), peak];
}

function show({ p50, p99, max }: Percentiles): string {
  return [p50, p99, max].map((ms) => ms.toFixed(0)).join("/");
}

/** `4G`, `64M`, `1000` */
function parseSize(text: string): number {
  const unit = { K: 1024, M: MIB, G: 1024 ** 3 }[text.slice(-1)];
  return unit === undefined ? Number(text) : Number(text.slice(0, -1)) * unit;
}

function print(text: string): void {
  process.stdout.write(`${text}\n`);
}
