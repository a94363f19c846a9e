import { exitCode } from "../../../contract/exit-code.ts";
import { buildCost } from "../../../reports/cost.ts";
import { renderCostCsv } from "../../render/cost-csv.ts";
import { costDocument } from "../../../reports/cost-document.ts";
import type { CommandContext, CommandOutcome, Invocation } from "../../command-module.ts";
import { renderCostReport } from "../../render/cost-report.ts";
import { terminalWidth } from "../../render/terminal-width.ts";
import { findTarget } from "../../../app/find-target.ts";
import { nothingYet, readStore } from "../../../app/open-project.ts";

export function showCost(context: CommandContext, invocation: Invocation): Promise<CommandOutcome> {
  return readStore(context, async (reader) => {
    const target = await findTarget(reader, invocation.argument("story"));
    if (reader === undefined || target === undefined) return emptyCost;
    const report = buildCost(target.story, await reader.storyTree(target.story.id));
    const style = { ascii: context.ascii, width: terminalWidth(context.environment) };
    return {
      exitCode: exitCode.completed,
      json: costDocument(report),
      text: invocation.flag("csv") ? renderCostCsv(report) : renderCostReport(report, style),
    };
  });
}

const emptyCost: CommandOutcome = {
  exitCode: exitCode.completed,
  json: { story: null, delegations: [], direct_cost_usd: 0, total_cost_usd: 0 },
  text: nothingYet,
};
