import type { Command } from "commander";
import { nothingYet } from "../render/nothing-yet.ts";
import { exitCode } from "../../contract/exit-code.ts";
import type { Act, CommandContext, CommandOutcome, Invocation } from "../input/command-module.ts";
import { renderCostCsv } from "../render/cost-csv.ts";
import { renderCostReport } from "../render/cost-report.ts";
import { terminalWidth } from "../terminal/terminal-width.ts";

export function register(command: Command, act: Act): void {
  command
    .description("What a story cost: itself, each delegation below it, and the total.")
    .argument("[story]", "a story id or its beginning; @last or nothing for the newest")
    .option("--csv", "one line per delegation, for a spreadsheet")
    .action(act(showCost))
    .addHelpText("after", "\nExample:\n  ambit cost US-007 --csv > cost.csv");
}

async function showCost(context: CommandContext, invocation: Invocation): Promise<CommandOutcome> {
  const { costUseCase } = await import("../../app/cost.ts");
  const json = await costUseCase.run(context, { story: invocation.argument("story") });
  if (json.story === null) return { exitCode: exitCode.completed, json, text: nothingYet };
  const style = { ascii: context.ascii, width: terminalWidth(context.environment) };
  const text = invocation.flag("csv") ? renderCostCsv(json) : renderCostReport(json, style);
  return { exitCode: exitCode.completed, json, text };
}
