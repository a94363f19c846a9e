import type { Command } from "commander";
import { usageError } from "../../errors/usage.ts";
import { nothingYet } from "../render/nothing-yet.ts";
import { systemClock } from "../../base/clock.ts";
import { exitCode } from "../../contract/exit-code.ts";
import { safeText } from "../../base/safe-text.ts";
import type { CostGroupsAnswer } from "../../app/group-cost.ts";
import type { Act, CommandContext, CommandOutcome, Invocation } from "../input/command-module.ts";
import { renderCostCsv } from "../render/cost-csv.ts";
import { renderCostReport } from "../render/cost-report.ts";
import { terminalWidth } from "../terminal/terminal-width.ts";
import { renderUsd } from "../render/amounts.ts";
import { exactUsd, renderCsv } from "../render/csv.ts";
import { renderTable, type TableStyle } from "../render/table.ts";

export function register(command: Command, act: Act): void {
  command
    .description("Show the cost of a story: its own, each delegation's, and the total.")
    .argument("[story]", "an id or its beginning; by default the newest story")
    .option("--csv", "one line per delegation or group, for a spreadsheet")
    .option("--by <what>", "sum all stories by model, agent, day, or several: day,model")
    .option("--since <when>", "with --by: from a date (2026-11-01) or the last days (7d)")
    .action(act((...call) => (call[1].option("by") === undefined ? showCost(...call) : showGroups(...call))))
    .addHelpText(
      "after",
      "\nExamples:\n  ambit cost US-007 --csv > cost.csv\n  ambit cost --by day,model --since 7d",
    );
}

const keys = ["model", "agent", "day"] as const;

async function showGroups(context: CommandContext, invocation: Invocation): Promise<CommandOutcome> {
  const { groupCostUseCase } = await import("../../app/group-cost.ts");
  if (invocation.argument("story") !== "") throw usageError("--by is about all stories", "Omit the story.");
  const by = (invocation.option("by") ?? "").split(",").map((word) => {
    const key = keys.find((one) => one === word.trim());
    if (key === undefined)
      throw usageError(`--by cannot be ${JSON.stringify(word)}`, `Use ${keys.join(", ")}.`);
    return key;
  });
  const json = await groupCostUseCase.run(context, { by, since: readSince(invocation.option("since")) });
  const style = { ascii: context.ascii, width: terminalWidth(context.environment) };
  const text = invocation.flag("csv") ? renderCostGroupsCsv(json) : renderCostGroups(json, style);
  return { exitCode: exitCode.completed, json, text };
}

const MS_PER_DAY = 86_400_000;

/** A date, or a number of days before now. */
function readSince(text: string | undefined): string | undefined {
  if (text === undefined) return undefined;
  const [, days] = /^(\d{1,5})d$/.exec(text) ?? [];
  const ms = days === undefined ? Date.parse(text) : systemClock.wallMs() - Number(days) * MS_PER_DAY;
  if (Number.isNaN(ms))
    throw usageError(`--since cannot be ${JSON.stringify(text)}`, "Use 2026-11-01 or 7d.");
  return new Date(ms).toISOString();
}

async function showCost(context: CommandContext, invocation: Invocation): Promise<CommandOutcome> {
  if (invocation.option("since") !== undefined)
    throw usageError("--since needs --by", "Add --by day, for example.");
  const { costUseCase } = await import("../../app/cost.ts");
  const json = await costUseCase.run(context, { story: invocation.argument("story") });
  if (json.story === null) return { exitCode: exitCode.completed, json, text: nothingYet };
  const style = { ascii: context.ascii, width: terminalWidth(context.environment) };
  const text = invocation.flag("csv") ? renderCostCsv(json) : renderCostReport(json, style);
  return { exitCode: exitCode.completed, json, text };
}

/** One line per group, the amounts under each other. */
function renderCostGroups({ by, groups }: CostGroupsAnswer, style: TableStyle): string {
  if (groups.length === 0) return "Nothing was reported.";
  const rows = groups.map(({ group, ...sums }) => [
    group.map((name) => safeText(name) || "not named").join("  "),
    String(sums.tokens_in),
    String(sums.tokens_out),
    renderUsd(sums.cost_usd, sums.estimated),
  ]);
  const known = groups.flatMap(({ cost_usd: cost }) => cost ?? []);
  const total = known.length === 0 ? null : known.reduce((sum, cost) => sum + cost, 0);
  const sum = (amount: (group: CostGroupsAnswer["groups"][number]) => number): string =>
    String(groups.reduce((all, group) => all + amount(group), 0));
  const isEstimated = groups.some(({ estimated }) => estimated);
  const footer = [
    "Total",
    sum((group) => group.tokens_in),
    sum((group) => group.tokens_out),
    renderUsd(total, isEstimated),
  ];
  return renderTable({ header: [by.join("  "), "Tokens in", "Tokens out", "Cost"], rows, footer }, style);
}

function renderCostGroupsCsv({ by, groups }: CostGroupsAnswer): string {
  return renderCsv(
    [...by, "reports", "tokens_in", "tokens_out", "cost_usd", "estimated"],
    groups.map(({ group, reports, tokens_in, tokens_out, cost_usd: cost, estimated }) => [
      ...group,
      reports,
      tokens_in,
      tokens_out,
      cost === null ? null : exactUsd(cost),
      estimated,
    ]),
  );
}
