import type { Command } from "commander";
import type { PerformanceAnswer, PerformanceGroups } from "../../app/performance.ts";
import { nothingYet } from "../render/nothing-yet.ts";
import { exitCode } from "../../contract/exit-code.ts";
import type { Act, CommandContext, CommandOutcome, Invocation } from "../input/command-module.ts";
import { renderFiguresCsv } from "../render/csv.ts";
import { renderFigures } from "../render/figures.ts";
import { renderGroups, renderStageTimes } from "../render/performance-report.ts";

const keys = ["agent", "model", "day", "template"] as const;

export function register(command: Command, act: Act): void {
  const by = command.createOption("--by <what>", "one line each: per agent, model, day or template");
  command
    .description("Success rate, durations, averages, overheads and stage times of all delegations.")
    .addOption(by.choices(keys))
    .option("--csv", "for a spreadsheet")
    .action(act(showPerformance))
    .addHelpText(
      "after",
      "\nExamples:\n  ambit performance --by agent\n  ambit performance --by day --csv > days.csv",
    );
}

async function showPerformance(context: CommandContext, invocation: Invocation): Promise<CommandOutcome> {
  const { performanceUseCase } = await import("../../app/performance.ts");
  const by = keys.find((name) => name === invocation.option("by"));
  const json = await performanceUseCase.run(context, { by });
  const isCsv = invocation.flag("csv");
  const text = isGrouped(json) ? renderGrouped(json, isCsv) : renderAll(json, isCsv);
  return { exitCode: exitCode.completed, json, text };
}

function isGrouped(answer: PerformanceAnswer | PerformanceGroups): answer is PerformanceGroups {
  return "groups" in answer;
}

function renderGrouped(answer: PerformanceGroups, isCsv: boolean): string {
  if (isCsv) return renderFiguresCsv(answer.groups);
  return answer.groups.length === 0 ? nothingYet : renderGroups(answer);
}

function renderAll({ stage_times: times, ...figures }: PerformanceAnswer, isCsv: boolean): string {
  if (isCsv) return renderFiguresCsv([figures]);
  const hasStages = times.some(({ count }) => count > 0);
  if (figures.total_delegations === 0 && !hasStages) return nothingYet;
  return [renderFigures(figures), renderStageTimes(times)].join("\n\n");
}
