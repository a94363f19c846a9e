import { safeText } from "../../base/safe-text.ts";
import type { CostGroupsAnswer } from "../../app/group-cost.ts";
import { renderUsd } from "./amounts.ts";
import { exactUsd, renderCsv } from "./csv.ts";
import { renderTable, type TableStyle } from "./table.ts";

/** One line per group, the amounts under each other. */
export function renderCostGroups({ by, groups }: CostGroupsAnswer, style: TableStyle): string {
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

export function renderCostGroupsCsv({ by, groups }: CostGroupsAnswer): string {
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
