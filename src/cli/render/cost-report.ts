import { groupDigits } from "../../base/group-digits.ts";
import { safeText } from "../../base/safe-text.ts";
import type { CostDocument, CostRowDocument } from "../../app/cost.ts";
import { renderUsd } from "./amounts.ts";
import { renderTable, type TableStyle } from "./table.ts";

/** The cost of a story: a table in the shape of its tree, then where the money went. */
export function renderCostReport(report: CostDocument, style: TableStyle): string {
  const table = renderTable(
    {
      header: ["Delegation", "Tokens In", "Tokens Out", "Cost USD"],
      rows: renderRows(report, style),
      footer: ["Total", ...renderSum(sumUp(report))],
    },
    style,
  );
  const parts = [
    `Story ${safeText(report.story)}: ${safeText(report.title)}\n${table}`,
    renderDepths(report.depth_distribution),
    renderShares(report),
    renderNotes(report),
  ];
  return parts.filter((part) => part !== "").join("\n\n");
}

type Sum = Pick<CostRowDocument, "cost_usd" | "estimated" | "tokens_in" | "tokens_out">;

function sumUp(report: CostDocument): Sum {
  const { total_tokens_in, total_tokens_out, total_cost_usd, estimated } = report;
  return { tokens_in: total_tokens_in, tokens_out: total_tokens_out, cost_usd: total_cost_usd, estimated };
}

/** A sum that contains an estimate is marked. */
function renderSum({
  tokens_in: read,
  tokens_out: written,
  cost_usd: cost,
  estimated,
}: Sum): readonly string[] {
  // The heading of the column says that it is a cost.
  return [groupDigits(read), groupDigits(written), renderUsd(cost, estimated).replace("cost ", "")];
}

function renderRows(
  { direct: root, delegations }: CostDocument,
  { ascii }: TableStyle,
): readonly (readonly string[])[] {
  if (root === null) return [];
  const workers = groupByParent(delegations);
  const branches = ascii ? asciiBranches : boxBranches;
  const below = (parent: CostRowDocument, indent: string): string[][] => {
    const siblings = workers.get(parent.id) ?? [];
    return siblings.flatMap((row, index) => {
      const isLast = index === siblings.length - 1;
      const label = `${indent}${isLast ? branches.last : branches.fork}${renderName(row)}`;
      const workersBelow = below(row, indent + (isLast ? "   " : branches.through));
      return [[label, ...renderSum(row)]].concat(workersBelow);
    });
  };
  return [[`${safeText(root.id)} (direct)`, ...renderSum(root)], ...below(root, "")];
}

const boxBranches = { fork: "├─ ", last: "└─ ", through: "│  " } as const;
const asciiBranches = { fork: "|- ", last: "`- ", through: "|  " } as const;

function groupByParent(rows: readonly CostRowDocument[]): ReadonlyMap<string, readonly CostRowDocument[]> {
  const workers = new Map<string, CostRowDocument[]>();
  for (const row of rows) {
    if (row.parent === null) continue;
    const siblings = workers.get(row.parent);
    if (siblings === undefined) workers.set(row.parent, [row]);
    else siblings.push(row);
  }
  return workers;
}

function renderName({ id, description }: CostRowDocument): string {
  return `${safeText(id)} (${safeText(description)})`;
}

function renderDepths(depths: CostDocument["depth_distribution"]): string {
  const lines = depths.map(({ depth, tasks, cost_usd: usd }) => {
    const count = `${tasks} ${tasks === 1 ? "task" : "tasks"}`;
    return { depth, count, cost: renderUsd(usd) };
  });
  const width = Math.max(...lines.map(({ count }) => count.length));
  return [
    "Depth distribution:",
    ...lines.map(({ depth, count, cost }) => `  Depth ${depth}: ${count.padEnd(width)} (${cost})`),
  ].join("\n");
}

function renderShares(report: CostDocument): string {
  const { overhead_percent: share, time_saved_percent: saved, delegations } = report;
  const isEstimated = delegations.some(({ estimated }) => estimated);
  const spent = delegations.length === 0 ? "$0.00" : renderUsd(report.delegated_cost_usd, isEstimated);
  const overhead = `Delegation overhead: ${spent}`;
  return [
    share === null ? overhead : `${overhead} (${share}% of total cost)`,
    `Time saved vs sequential: ${saved === null ? "not known yet" : `Estimated ${saved}% reduction`}`,
  ].join("\n");
}

function renderNotes(report: CostDocument): string {
  const { unpriced_tokens: unpriced, reconciliation } = report;
  const notes = [
    ...(unpriced === 0 ? [] : [`${groupDigits(unpriced)} tokens have no known price and are not in the sum`]),
    ...(reconciliation === null ? [] : [renderReconciliation(reconciliation)]),
    ...(report.estimated
      ? ["~ includes usage that was estimated or simulated, not reported by the agent"]
      : []),
    ...(report.cost_alert
      ? [
          `Cost alert: the total is above ${renderUsd(report.cost_alert_usd)} (delegation.cost.alertThreshold)`,
        ]
      : []),
  ];
  return notes.join("\n");
}

/** The two differ because of discounts, unreported use or a price that has changed. */
function renderReconciliation(sums: NonNullable<CostDocument["reconciliation"]>): string {
  const { reported_usd: said, list_price_usd: listed, difference_usd: difference } = sums;
  const reported = `Agents reported ${renderUsd(said)}`;
  if (listed === 0) return `${reported}; by list price it would be $0.00`;
  const share = Math.round((difference / listed) * 100);
  const compared = share === 0 ? "the same" : `${share > 0 ? "+" : ""}${share}%`;
  return `${reported}; by list price it would be ${renderUsd(listed)} (${compared})`;
}
