/**
 * Mutated returns against the validator: npm run test:fuzz -- --count 1000000 --seed 1
 * Fails on a crash, on a return accepted against the second opinion, on a refused harmless rewriting, and on any
 * input that blocks longer than 100 ms. `--start <index> --count 1 --seed <seed>` repeats one case.
 */
import { parseArgs } from "node:util";
import { validateReturnBytes } from "../../src/contract/validate-return.ts";
import { measurePathological, type Timing } from "./fuzz/measure-pathological.ts";
import { mutate, type Mutant } from "./fuzz/mutate.ts";
import { readSamples, type Sample } from "./fuzz/samples.ts";
import { findObjection } from "./fuzz/second-opinion.ts";
import { randomOfCase } from "./random.ts";

/** One example of each kind of fault, and how often it came. */
interface Finding {
  times: number;
  readonly index: number;
  readonly kind: "crash" | "wrongly accepted" | "wrongly rejected";
  readonly how: string;
  readonly reason: string;
  readonly input: string;
}

interface Tally {
  accepted: number;
  rejected: number;
  harmless: number;
  slowestMs: number;
  slowestIndex: number;
  readonly codes: Map<string, number>;
  readonly kinds: Map<string, number>;
  readonly findings: Map<string, Finding>;
}

const BLOCK_LIMIT_MS = 100;
const SHOWN_FINDINGS = 20;

/** Above this a call is repeated, to tell a slow input from a busy machine. */
const SUSPICIOUS_MS = 10;

const { values } = parseArgs({
  options: {
    count: { type: "string", default: "20000" },
    seed: { type: "string", default: "1" },
    start: { type: "string", default: "0" },
  },
});
process.exitCode = run(Number(values.count), Number(values.seed), Number(values.start));

function run(count: number, seed: number, start: number): number {
  const samples = readSamples("test/fixtures/returns");
  assertSamplesValid(samples);
  const tally: Tally = {
    accepted: 0,
    rejected: 0,
    harmless: 0,
    slowestMs: 0,
    slowestIndex: -1,
    codes: new Map(),
    kinds: new Map(),
    findings: new Map(),
  };
  for (let index = start; index < start + count; index += 1) {
    judge(mutate(samples, randomOfCase(seed, index)), index, tally);
  }
  const timings = count > 1 ? measurePathological() : [];
  report(tally, timings, { count, seed });
  const tooSlow = timings.some((timing) => timing.ms > BLOCK_LIMIT_MS);
  return tally.findings.size > 0 || tooSlow || tally.slowestMs > BLOCK_LIMIT_MS ? 1 : 0;
}

function assertSamplesValid(samples: readonly Sample[]): void {
  for (const { name, text, session } of samples) {
    const verdict = validateReturnBytes(Buffer.from(text), { session });
    if (!verdict.valid) throw new Error(`${name} is not valid: ${verdict.codes.join(", ")}`);
  }
  if (samples.length !== 11) throw new Error(`${samples.length} samples instead of 11`);
}

function judge(mutant: Mutant, index: number, tally: Tally): void {
  const note = (kind: Finding["kind"], reason: string): void => {
    count(tally.kinds, kind);
    const key = `${kind}: ${reason}`;
    const known = tally.findings.get(key);
    if (known !== undefined) known.times += 1;
    else if (tally.findings.size < SHOWN_FINDINGS) {
      const input = Buffer.from(mutant.bytes).subarray(0, 4000).toString("base64");
      tally.findings.set(key, { times: 1, index, kind, how: mutant.how, reason, input });
    }
  };
  const began = performance.now();
  try {
    const verdict = validateReturnBytes(mutant.bytes, { session: mutant.session });
    noteTime(tally, mutant, { ms: performance.now() - began, index });
    if (mutant.harmless) tally.harmless += 1;
    if (verdict.valid) {
      tally.accepted += 1;
      const objection = findObjection(mutant.bytes, mutant.session, verdict.value);
      if (objection !== undefined) note("wrongly accepted", objection);
      return;
    }
    tally.rejected += 1;
    for (const code of new Set(verdict.codes.map(withoutIndex))) count(tally.codes, code);
    if (mutant.harmless) note("wrongly rejected", verdict.codes.join(", "));
  } catch (error) {
    note("crash", String(error).slice(0, 300));
  }
}

function noteTime(tally: Tally, mutant: Mutant, call: { ms: number; index: number }): void {
  if (call.ms <= tally.slowestMs) return;
  const ms = call.ms < SUSPICIOUS_MS ? call.ms : bestOfThree(mutant);
  if (ms <= tally.slowestMs) return;
  tally.slowestMs = ms;
  tally.slowestIndex = call.index;
}

function bestOfThree(mutant: Mutant): number {
  const times = [1, 2, 3].map(() => {
    const began = performance.now();
    validateReturnBytes(mutant.bytes, { session: mutant.session });
    return performance.now() - began;
  });
  return Math.min(...times);
}

function withoutIndex(code: string): string {
  return code.replaceAll(/\[\d+\]/g, "[]").slice(0, 60);
}

function count(counts: Map<string, number>, name: string): void {
  counts.set(name, (counts.get(name) ?? 0) + 1);
}

function report(tally: Tally, timings: readonly Timing[], run: { count: number; seed: number }): void {
  const worst = timings.toSorted((left, right) => right.ms - left.ms);
  const steepest = timings.toSorted((left, right) => right.growth - left.growth);
  const codes = Object.fromEntries([...tally.codes].sort((left, right) => right[1] - left[1]).slice(0, 40));
  const summary = {
    ...run,
    accepted: tally.accepted,
    rejected: tally.rejected,
    harmless: tally.harmless,
    crashes: tally.kinds.get("crash") ?? 0,
    wronglyAccepted: tally.kinds.get("wrongly accepted") ?? 0,
    wronglyRejected: tally.kinds.get("wrongly rejected") ?? 0,
    slowestMs: tally.slowestMs,
    slowestIndex: tally.slowestIndex,
    codes,
    pathological: worst,
    findings: [...tally.findings.values()],
  };
  print(JSON.stringify(summary, null, 1));
  const rows = [
    ["mutated returns", run.count],
    ["accepted / rejected", `${summary.accepted} / ${summary.rejected}`],
    ["crashes", summary.crashes],
    ["wrongly accepted", summary.wronglyAccepted],
    [`wrongly rejected (of ${summary.harmless} harmless)`, summary.wronglyRejected],
    ["slowest mutated return", `${tally.slowestMs.toFixed(1)} ms`],
    ["slowest pathological input", `${worst[0]?.ms.toFixed(1)} ms (${worst[0]?.name})`],
    [
      `pathological inputs above ${BLOCK_LIMIT_MS} ms`,
      worst.filter((timing) => timing.ms > BLOCK_LIMIT_MS).length,
    ],
    ["steepest growth for 4× the size", `${steepest[0]?.growth.toFixed(1)}× (${steepest[0]?.name})`],
  ];
  print(`\n| what | result |\n|---|---|\n${rows.map((row) => `| ${row.join(" | ")} |`).join("\n")}`);
}

function print(text: string): void {
  process.stdout.write(`${text}\n`);
}
