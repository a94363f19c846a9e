import { safeText } from "../base/safe-text.ts";
import type { CostReport, CostRow } from "./cost.ts";

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
  const lines = report.rows.map((row) => cellsOf(row).join(","));
  return [columns.join(","), ...lines].map((line) => `${line}\n`).join("");
}

function cellsOf(row: CostRow): readonly string[] {
  return [
    textCell(row.id),
    textCell(row.parent ?? ""),
    String(row.depth),
    textCell(row.title),
    textCell(row.agent ?? ""),
    row.status,
    String(row.tokensIn),
    String(row.tokensOut),
    exactUsd(row.microUsd),
    String(row.isEstimated),
  ];
}

/** A text that begins like a formula would be computed by a spreadsheet; the apostrophe keeps it text. */
function textCell(text: string): string {
  const safe = safeText(text);
  const inert = /^\s*[=+\-@]/.test(safe) ? `'${safe}` : safe;
  return /[",]/.test(inert) ? `"${inert.replaceAll('"', '""')}"` : inert;
}

/** All six places: rounding is the reader's choice. */
function exactUsd(microUsd: number): string {
  return `${Math.floor(microUsd / 1_000_000)}.${String(microUsd % 1_000_000).padStart(6, "0")}`;
}
