import { groupDigits } from "../../base/group-digits.ts";
import { safeText } from "../../base/safe-text.ts";
import type { PerformanceAnswer, PerformanceGroups } from "../../app/performance.ts";
import { renderUsd } from "./amounts.ts";
import { renderColumns } from "./columns.ts";
import { renderDuration } from "../../base/duration-text.ts";

/** Where the time goes, stage by stage, and whether the budgets are kept. */
export function renderStageTimes(times: PerformanceAnswer["stage_times"]): string {
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
export function renderGroups({ groups, by: key }: PerformanceGroups): string {
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
