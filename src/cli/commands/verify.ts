import type { Command } from "commander";
import type { Verification } from "../../app/verify.ts";
import { exitCode } from "../../contract/exit-code.ts";
import { nameOutcome } from "../../contract/outcome.ts";
import type { Act, CommandContext, CommandOutcome, Invocation } from "../input/command-module.ts";
import { weakWords } from "../../app/story-view.ts";
import { renderCriteria } from "../render/criteria-report.ts";
import { nothingYet } from "../render/nothing-yet.ts";
import { paint } from "../terminal/paint.ts";
import { taskLabel } from "../render/task-label.ts";
import { terminalWidth } from "../terminal/terminal-width.ts";
import { watchSignals } from "../terminal/watch-signals.ts";
import { renderVerdict } from "../render/verdict.ts";

export function register(command: Command, act: Act): void {
  command
    .description("Show each criterion, how it is checked and what was found. Exit 1 if one is not met.")
    .argument("[id]", "an id, its beginning or a path such as 2.1; by default the newest story")
    .option("--rerun", "run the checks again in a fresh checkout; records nothing")
    .action(act(verifyWork))
    .addHelpText("after", "\nExample:\n  ambit verify S-4k2m9x --rerun");
}

async function verifyWork(context: CommandContext, invocation: Invocation): Promise<CommandOutcome> {
  const { verifyUseCase } = await import("../../app/verify.ts");
  const input = { id: invocation.argument("id"), rerun: invocation.flag("rerun") };
  // Ctrl-C ends the checks and frees the checkout.
  const signals = input.rerun ? watchSignals() : undefined;
  try {
    const abort = signals === undefined ? {} : { abort: signals.abort };
    const json = await verifyUseCase.run({ ...context, ...abort }, input);
    const own = json.met ? exitCode.completed : exitCode.failed;
    return { exitCode: signals?.owedCode() ?? own, json, text: renderVerification(context, json) };
  } finally {
    signals?.release();
  }
}

function renderVerification(
  context: CommandContext,
  { id, story, state, met, criteria, workers }: Verification,
) {
  if (id === null || story === null) return nothingYet;
  const style = {
    ascii: context.ascii,
    width: terminalWidth(context.environment),
    paint: paint(context.color("stdout")),
    verbose: context.verbose,
  };
  return [
    ...(criteria.length === 0 ? [] : [renderCriteria(criteria, style), ""]),
    ...workers.map((worker) => renderWorker(worker, story)),
    ...(workers.length === 0 ? [] : [""]),
    renderVerdict({ ok: met, message: countMet(id, criteria) }, context),
    ...(met || state !== "closed" ? [] : [`  next  ambit explain ${id}`]),
  ].join("\n");
}

function renderWorker(
  { id, outcome, proof, required, met }: Verification["workers"][number],
  story: string,
): string {
  const weak = weakWords[proof ?? ""];
  const told = weak === undefined ? "" : ` (${weak})`;
  return `${taskLabel(id, story)}  ${nameOutcome(outcome ?? "open")}  ${met} of ${required} required criteria met${told}`;
}

function countMet(id: string, criteria: Verification["criteria"]): string {
  const required = criteria.filter((criterion) => criterion.required);
  if (required.length === 0) return `${id}: no criterion is required`;
  const met = required.filter(({ verdict }) => verdict === "passed" || verdict === "waived");
  return `${id}: ${met.length} of ${required.length} required criteria are met`;
}
