import { safeText } from "../../base/safe-text.ts";
import { withThousands } from "../../guards/verdict.ts";
import { formatUsd } from "../../ledger/money.ts";
import type { CostReport, CostRow, CostSum } from "../../reports/cost.ts";
import { percent } from "../../reports/cost-document.ts";
import { renderTable, type TableStyle } from "./table.ts";

/** The cost of a story: a table in the shape of its tree, then where the money went. */
export function renderCostReport(report: CostReport, style: TableStyle): string {
  const table = renderTable(
    {
      header: ["Delegation", "Tokens In", "Tokens Out", "Cost USD"],
      rows: renderRows(report.rows, style),
      footer: ["Total", ...figures(report.total)],
    },
    style,
  );
  const parts = [
    `Story ${safeText(report.story)}: ${safeText(report.title)}\n${table}`,
    renderDepths(report.depths),
    renderShares(report),
    renderNotes(report),
  ];
  return parts.filter((part) => part !== "").join("\n\n");
}

function figures(sum: CostSum): readonly string[] {
  return [withThousands(sum.tokensIn), withThousands(sum.tokensOut), costText(sum)];
}

/** What nobody reported is marked, in every line it enters. */
function costText({ microUsd, isEstimated }: CostSum): string {
  return `${isEstimated ? "~" : ""}${formatUsd(microUsd)}`;
}

function renderRows(rows: readonly CostRow[], { ascii }: TableStyle): readonly (readonly string[])[] {
  const [root] = rows;
  if (root === undefined) return [];
  const workers = groupByParent(rows);
  const branches = ascii ? asciiBranches : boxBranches;
  const below = (parent: CostRow, indent: string): string[][] => {
    const siblings = workers.get(parent.id) ?? [];
    return siblings.flatMap((row, index) => {
      const isLast = index === siblings.length - 1;
      const label = `${indent}${isLast ? branches.last : branches.fork}${nameOf(row)}`;
      const workersBelow = below(row, indent + (isLast ? "   " : branches.through));
      return [[label, ...figures(row)]].concat(workersBelow);
    });
  };
  return [[`${safeText(root.id)} (direct)`, ...figures(root)], ...below(root, "")];
}

const boxBranches = { fork: "├─ ", last: "└─ ", through: "│  " } as const;
const asciiBranches = { fork: "|- ", last: "`- ", through: "|  " } as const;

function groupByParent(rows: readonly CostRow[]): ReadonlyMap<string, readonly CostRow[]> {
  const workers = new Map<string, CostRow[]>();
  for (const row of rows) {
    if (row.parent === null) continue;
    const siblings = workers.get(row.parent);
    if (siblings === undefined) workers.set(row.parent, [row]);
    else siblings.push(row);
  }
  return workers;
}

function nameOf({ id, title }: CostRow): string {
  return `${safeText(id)} (${safeText(title)})`;
}

function renderDepths(depths: CostReport["depths"]): string {
  const lines = depths.map(({ depth, tasks, microUsd }) => {
    const count = `${tasks} ${tasks === 1 ? "task" : "tasks"}`;
    return { depth, count, cost: formatUsd(microUsd) };
  });
  const width = Math.max(...lines.map(({ count }) => count.length));
  return [
    "Depth distribution:",
    ...lines.map(({ depth, count, cost }) => `  Depth ${depth}: ${count.padEnd(width)} (${cost})`),
  ].join("\n");
}

function renderShares(report: CostReport): string {
  const share = percent(report.overhead);
  const saved = percent(report.timeSaved);
  const overhead = `Delegation overhead: ${costText(report.delegated)}`;
  return [
    share === null ? overhead : `${overhead} (${share}% of total cost)`,
    `Time saved vs sequential: ${saved === null ? "not known yet" : `Estimated ${saved}% reduction`}`,
  ].join("\n");
}

function renderNotes({ total, alert }: CostReport): string {
  const notes = [
    ...(total.unpricedTokens === 0
      ? []
      : [`${withThousands(total.unpricedTokens)} tokens have no known price and are not in the sum`]),
    ...(total.compared === null ? [] : [compareText(total.compared)]),
    ...(total.isEstimated ? ["~ holds use that was estimated or simulated, not reported by the agent"] : []),
    ...(alert.isExceeded
      ? [
          `Cost alert: the total is above ${formatUsd(alert.thresholdMicroUsd)} (delegation.cost.alertThreshold)`,
        ]
      : []),
  ];
  return notes.join("\n");
}

/** The two differ by discounts, by use that nobody reported, or because a price has changed. */
function compareText({ reportedMicroUsd, estimatedMicroUsd }: NonNullable<CostSum["compared"]>): string {
  const reported = `Agents reported ${formatUsd(reportedMicroUsd)}`;
  if (estimatedMicroUsd === 0) return `${reported}; by list price it would be ${formatUsd(0)}`;
  const share = Math.round(((reportedMicroUsd - estimatedMicroUsd) / estimatedMicroUsd) * 100);
  const difference = share === 0 ? "the same" : `${share > 0 ? "+" : ""}${share}%`;
  return `${reported}; by list price it would be ${formatUsd(estimatedMicroUsd)} (${difference})`;
}
