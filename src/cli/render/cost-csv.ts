import type { CostReport, CostRow } from "../../reports/cost.ts";
import { exactUsd, renderCsv, type CsvCell } from "./csv.ts";

const columns = [
  "delegation",
  "parent",
  "depth",
  "description",
  "agent",
  "status",
  "tokens_in",
  "tokens_out",
  "cost_usd",
  "estimated",
] as const;

/** One line per delegation with its own use, the story's first; adding up the column gives the total. */
export function renderCostCsv(report: CostReport): string {
  return renderCsv(columns, report.rows.map(cellsOf));
}

function cellsOf(row: CostRow): readonly CsvCell[] {
  return [
    row.id,
    row.parent,
    row.depth,
    row.title,
    row.agent,
    row.status,
    row.tokensIn,
    row.tokensOut,
    exactUsd(row.microUsd),
    row.isEstimated,
  ];
}
