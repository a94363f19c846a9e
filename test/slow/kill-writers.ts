/**
 * Four processes on one store, killed at random moments: npm run test:kill -- --kills 200 --writers 4 --seed 1
 * Fails when an acknowledged event is missing, a limit was exceeded at any point of the journal, the chain or a
 * projection is wrong, or when a planted fault goes unnoticed.
 */
import { spawn, type ChildProcess } from "node:child_process";
import { mkdtempSync, readdirSync, readFileSync, rmSync, statSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setTimeout as delay } from "node:timers/promises";
import { parseArgs } from "node:util";
import { examine, type Examination } from "./kill/check-journal.ts";
import { runWriter, type Planted } from "./kill/writer.ts";
import { createRandom, type Random } from "./random.ts";

const { values } = parseArgs({
  options: {
    kills: { type: "string", default: "20" },
    writers: { type: "string", default: "4" },
    seed: { type: "string", default: "1" },
    keep: { type: "boolean", default: false },
    writer: { type: "string" },
  },
});

const MAX_WAIT_MS = 250;
const STARTING_SHARE = 0.2;
const CONTROL_KILLS = 12;
const SHOWN_FAULTS = 10;
const STARTUP_LIMIT_MS = 60_000;
let writerCount = 0;

interface Writer {
  readonly process: ChildProcess;
  readonly acks: string;
}

if (values.writer === undefined) process.exitCode = await main();
else await runWriter(JSON.parse(values.writer));

async function main(): Promise<number> {
  const random = createRandom(Number(values.seed));
  const result = await attack(random, Number(values.kills), "none");
  // Without these two the suite could be blind without a sign of it.
  const limitControl = await attack(random, CONTROL_KILLS, "limit-outside-transaction");
  const ackControl = await attack(random, CONTROL_KILLS, "acknowledge-early");
  const caught = {
    limit: limitControl.faults.some((fault) => /is number|is worker/.test(fault)),
    acknowledgement: ackControl.faults.some((fault) => fault.startsWith("acknowledged and missing")),
  };
  const passed = result.faults.length === 0 && caught.limit && caught.acknowledgement;
  report(result, caught);
  return passed ? 0 : 1;
}

interface Attack extends Examination {
  readonly kills: number;
  readonly seconds: number;
}

async function attack(random: Random, kills: number, planted: Planted): Promise<Attack> {
  const folder = mkdtempSync(join(tmpdir(), "ambit-kill-"));
  const began = performance.now();
  const failures: string[] = [];
  try {
    const start = (): Writer => startWriter(folder, { random, planted, failures });
    const writers = Array.from({ length: Number(values.writers) }, start);
    for (let killed = 0; killed < kills; killed += 1) {
      const index = random.below(writers.length);
      const victim = writers[index] ?? start();
      // Most kills hit a writer at work; some hit one that is still opening the store.
      if (!random.chance(STARTING_SHARE)) await untilWorking(victim);
      await delay(random.below(MAX_WAIT_MS));
      await kill(victim);
      writers[index] = start();
    }
    await Promise.all(writers.map(untilWorking));
    await Promise.all(writers.map(kill));
    const examination = await examine(join(folder, "ambit.db"), readAcks(folder));
    const faults = [...failures, ...examination.faults];
    return { ...examination, faults, kills, seconds: (performance.now() - began) / 1000 };
  } finally {
    if (values.keep) process.stderr.write(`kept ${folder}\n`);
    else rmSync(folder, { recursive: true, force: true });
  }
}

function startWriter(
  folder: string,
  run: { readonly random: Random; readonly planted: Planted; readonly failures: string[] },
): Writer {
  const name = `w${(writerCount += 1)}`;
  const options = {
    store: join(folder, "ambit.db"),
    acks: join(folder, `${name}.acks`),
    name,
    seed: run.random.below(2 ** 31),
    planted: run.planted,
  };
  const program = process.argv[1] ?? "";
  const child = spawn(
    process.execPath,
    ["--enable-source-maps", program, "--writer", JSON.stringify(options)],
    {
      stdio: ["ignore", "inherit", "pipe"],
    },
  );
  let errors = "";
  child.stderr.on("data", (chunk) => (errors += String(chunk)));
  child.on("exit", (code, signal) => {
    if (signal !== "SIGKILL")
      run.failures.push(`writer ${name} ended by itself (${code ?? signal}): ${errors.slice(0, 600)}`);
  });
  return { process: child, acks: options.acks };
}

async function untilWorking(writer: Writer): Promise<void> {
  const deadline = performance.now() + STARTUP_LIMIT_MS;
  while (isAlive(writer.process) && (statSync(writer.acks, { throwIfNoEntry: false })?.size ?? 0) === 0) {
    if (performance.now() > deadline) throw new Error("a writer did not begin to work");
    await delay(5);
  }
}

function isAlive(child: ChildProcess): boolean {
  return child.exitCode === null && child.signalCode === null;
}

async function kill({ process: child }: Writer): Promise<void> {
  if (!isAlive(child)) return;
  const ended = new Promise((resolve) => child.once("exit", resolve));
  child.kill("SIGKILL");
  await ended;
}

/** The last line may be cut off by the kill; only a line with its end was acknowledged. */
function readAcks(folder: string): readonly string[] {
  const files = readdirSync(folder).filter((name) => name.endsWith(".acks"));
  return files.flatMap((name) => readFileSync(join(folder, name), "utf8").split("\n").slice(0, -1));
}

function report(result: Attack, caught: { limit: boolean; acknowledgement: boolean }): void {
  const { faults, ...figures } = result;
  const summary = {
    ...figures,
    faults: faults.length,
    examples: faults.slice(0, SHOWN_FAULTS),
    controlsCaught: caught,
  };
  const rows = [
    ["kills", result.kills],
    ["events / delegations / closed", `${result.events} / ${result.delegations} / ${result.closed}`],
    ["refused / attempts lost", `${result.refused} / ${result.lost}`],
    ["acknowledged steps", result.acknowledged],
    ["faults", faults.length],
    ["planted limit fault caught", caught.limit ? "yes" : "NO"],
    ["planted early acknowledgement caught", caught.acknowledgement ? "yes" : "NO"],
  ];
  process.stdout.write(`${JSON.stringify(summary, null, 1)}\n\n| what | result |\n|---|---|\n`);
  process.stdout.write(`${rows.map((row) => `| ${row.join(" | ")} |`).join("\n")}\n`);
}
