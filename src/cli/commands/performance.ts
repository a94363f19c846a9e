import type { Command } from "commander";
import type { PerformanceAnswer, PerformanceGroups } from "../../app/performance.ts";
import { exitCode } from "../../contract/exit-code.ts";
import { groupDigits } from "../../base/group-digits.ts";
import { safeText } from "../../base/safe-text.ts";
import { renderDuration } from "../../base/duration-text.ts";
import type { Act, CommandContext, CommandOutcome, Invocation } from "../input/command-module.ts";
import { renderFiguresCsv } from "../render/csv.ts";
import { renderFigures } from "../render/figures.ts";
import { renderUsd } from "../render/amounts.ts";
import { renderColumns } from "../render/columns.ts";

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

/** A project may have stories all the same: the agent of a story is not a worker. */
const NO_WORKERS = "No worker has run here yet.";

function renderGrouped(answer: PerformanceGroups, isCsv: boolean): string {
  if (isCsv) return renderFiguresCsv(answer.groups);
  return answer.groups.length === 0 ? NO_WORKERS : renderGroups(answer);
}

function renderAll({ stage_times: times, ...figures }: PerformanceAnswer, isCsv: boolean): string {
  if (isCsv) return renderFiguresCsv([figures]);
  const hasStages = times.some(({ count }) => count > 0);
  if (figures.total_delegations === 0 && !hasStages) return NO_WORKERS;
  return [renderFigures(figures), renderStageTimes(times)].join("\n\n");
}

/** Where the time goes, stage by stage, and whether the budgets are kept. */
function renderStageTimes(times: PerformanceAnswer["stage_times"]): string {
  const rows = times.map(
    ({ stage, count, p50_ms: half, p95_ms: most, budget_ms: budget, within_budget: kept }) => [
      stage,
      String(count),
      milliseconds(half),
      milliseconds(most),
      budget === null ? "" : `${budget} ms`,
      kept === null ? "" : `${Math.round(kept * 100)}% within`,
    ],
  );
  return renderColumns([["stage", "seen", "p50", "p95", "budget", ""], ...rows]);
}

function milliseconds(value: number | null): string {
  return value === null ? "-" : `${groupDigits(Math.round(value))} ms`;
}

/** One line per group; the group without a name says so. */
function renderGroups({ groups, by: key }: PerformanceGroups): string {
  const header = [key, "delegations", "success", "p50", "p95", "attempts", "tokens", "cost"];
  const rows = groups.map((group) => [
    group.group === "" ? `(no ${key})` : safeText(group.group),
    group.open === 0 ? String(group.total_delegations) : `${group.total_delegations} (${group.open} open)`,
    group.success_rate === null ? "-" : `${Math.round(group.success_rate * 100)}% of ${group.finished}`,
    duration(group.median_duration_ms),
    duration(group.p95_duration_ms),
    group.avg_attempts === null ? "-" : String(group.avg_attempts),
    groupDigits(group.tokens_in + group.tokens_out),
    renderUsd(group.total_cost_usd, group.estimated),
  ]);
  return renderColumns([header, ...rows]);
}

function duration(durationMs: number | null): string {
  return durationMs === null ? "-" : renderDuration(durationMs);
}
