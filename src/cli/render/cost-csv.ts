import type { CostDocument, CostRowDocument } from "../../app/cost.ts";
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
export function renderCostCsv({ direct, delegations }: CostDocument): string {
  return renderCsv(columns, [...(direct === null ? [] : [direct]), ...delegations].map(readCells));
}

function readCells(row: CostRowDocument): readonly CsvCell[] {
  return [
    row.id,
    row.parent,
    row.depth,
    row.description,
    row.agent,
    row.status,
    row.tokens_in,
    row.tokens_out,
    row.cost_usd === null ? null : exactUsd(row.cost_usd),
    row.estimated,
  ];
}
