import {
  appendFileSync,
  existsSync,
  mkdirSync,
  readFileSync,
  rmSync,
  writeFileSync,
  writeSync,
} from "node:fs";
import { dirname } from "node:path";
import { setTimeout as delay } from "node:timers/promises";
import { runCommand } from "../../base/run-command.ts";
import { EXHAUSTED_LINE, renderUsageLine } from "../adapters/command/usage-line.ts";
import { floodOutput, forkProcess, hangForEver, hogMemory } from "./misbehave.ts";
import type { Step } from "./script.ts";

export interface WorkerContext {
  readonly returnFile: string;
  readonly handoverFile: string;
  readonly environment: Readonly<Record<string, string>>;
  /** Copied into the metadata of a return. */
  readonly metadata: Readonly<Record<string, unknown>>;
}

const STDOUT = 1;
const COMMAND_TIMEOUT_MS = 10 * 60_000;

/** Runs one step; returns an exit code if the worker must end here. */
export async function runScriptStep(step: Step, context: WorkerContext): Promise<number | undefined> {
  if ("write" in step) writeTextFile(step.write.path, step.write.text);
  else if ("append" in step) appendOnce(step.append.path, step.append.text);
  else if ("remove" in step) rmSync(step.remove, { recursive: true });
  else if ("run" in step) await runProgramStep(step.run, context);
  else if ("say" in step) printText(step.say);
  else if ("spend" in step) printText(renderSpending(step.spend));
  else if ("sleep" in step) await delay(step.sleep * 1000);
  else if ("delegate" in step)
    for (const { description, hours } of step.delegate) printText(`[delegate:${description}:${hours}]`);
  else if ("early" in step) leaveReturn(context, { status: "in_progress" });
  else if ("return" in step) leaveReturn(context, step.return);
  else if ("return-text" in step) writeTextFile(context.returnFile, step["return-text"]);
  else if ("exhaust" in step) reportExhaustion(context, step.exhaust);
  else if ("exit" in step) return step.exit;
  else await runMisbehaviour(step);
  return undefined;
}

async function runMisbehaviour(
  step: Extract<Step, { hang: unknown } | { flood: unknown } | { fork: unknown } | { hog: unknown }>,
): Promise<void> {
  if ("hang" in step) await hangForEver(step.hang);
  else if ("flood" in step) floodOutput(step.flood.bytes, step.flood.lines);
  else if ("fork" in step) forkProcess(step.fork);
  else hogMemory(step.hog.megabytes);
}

function writeTextFile(path: string, text: string): void {
  mkdirSync(dirname(path), { recursive: true });
  writeFileSync(path, text);
}

/** A turn that was interrupted is repeated in the work it left, which may have the text already. */
function appendOnce(path: string, text: string): void {
  const before = existsSync(path) ? readFileSync(path, "utf8") : "";
  if (!before.includes(text)) appendFileSync(path, text);
}

async function runProgramStep(argv: readonly string[], context: WorkerContext): Promise<void> {
  const { environment } = context;
  const outcome = await runCommand({ argv, cwd: process.cwd(), environment, timeoutMs: COMMAND_TIMEOUT_MS });
  printText(`$ ${argv.join(" ")}`);
  printText(outcome.stdout.toString("utf8") + outcome.stderr.toString("utf8"));
  printText(`exit code ${outcome.exitCode ?? outcome.signal ?? "unknown"}`);
}

function reportExhaustion(context: WorkerContext, note: string): void {
  writeTextFile(context.handoverFile, note);
  printText(EXHAUSTED_LINE);
}

function leaveReturn(context: WorkerContext, value: Readonly<Record<string, unknown>>): void {
  writeTextFile(context.returnFile, JSON.stringify({ ...value, metadata: context.metadata }, null, 2));
}

type Spending = Extract<Step, { readonly spend: unknown }>["spend"];

function renderSpending(spend: Spending): string {
  return renderUsageLine({
    ...(spend.model === undefined ? {} : { model: spend.model }),
    inputTokens: spend.input,
    cachedTokens: spend.cached,
    outputTokens: spend.output,
    microUsd: Math.round(spend.usd * 1_000_000),
    source: "simulated",
  });
}

function printText(line: string): void {
  writeSync(STDOUT, `${line}\n`);
}
