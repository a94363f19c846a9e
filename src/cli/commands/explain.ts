import type { Command } from "commander";
import { nothingYet } from "../render/nothing-yet.ts";
import { exitCode } from "../../contract/exit-code.ts";
import type { Act, CommandContext, CommandOutcome, Invocation } from "../input/command-module.ts";
import { renderColumns } from "../render/columns.ts";
import { foldLines } from "../render/fold-lines.ts";
import { renderExplanation } from "../render/explanation.ts";
import { paint } from "../terminal/paint.ts";
import { terminalWidth } from "../terminal/terminal-width.ts";

export function register(command: Command, act: Act): void {
  command
    .description("Why work is in its state: reasons, limits with their origin, refusals, next steps.")
    .usage("[id | code]")
    .argument("[id]", "an id, its beginning or a path such as 2.1; or an error code")
    .action(act(explain))
    .addHelpText("after", "\nExamples:\n  ambit explain 2.1\n  ambit explain MAX_DEPTH_EXCEEDED");
}

async function explain(context: CommandContext, invocation: Invocation): Promise<CommandOutcome> {
  const { explainUseCase, isErrorCode } = await import("../../app/explain.ts");
  const id = invocation.argument("id");
  if (await isErrorCode(context, id)) return explainCode(context, id);
  const json = await explainUseCase.run(context, { id });
  if (json.story === null) return { exitCode: exitCode.completed, json, text: nothingYet };
  const style = { ascii: context.ascii, paint: paint(context.color("stdout")), all: context.verbose };
  return {
    exitCode: exitCode.completed,
    json,
    text: foldLines(renderExplanation(json, style), terminalWidth(context.environment)),
  };
}

/** A story is judged by what it left, not by the code alone. */
function describePartial(status: number): string {
  return status === exitCode.failed ? `; ${exitCode.partial} if a story keeps a part of the work` : "";
}

async function explainCode(context: CommandContext, code: string): Promise<CommandOutcome> {
  const { explainCodeUseCase } = await import("../../app/explain.ts");
  const json = await explainCodeUseCase.run(context, { code });
  const text = renderColumns([
    ["code", code],
    ["means", json.means],
    ["exit", `${json.exit_status}: ${json.exit_status_means}${describePartial(json.exit_status)}`],
    ["next", json.next],
  ]);
  return { exitCode: exitCode.completed, json, text };
}
