import type { TaskChange, TaskOperation } from "../../tasks/task.ts";
import { renderColumns } from "./columns.ts";
import { excerpt, visibleText } from "../../base/visible-text.ts";

export interface OperationStyle {
  readonly ascii: boolean;
}

const LONGEST_VALUE = 48;
const MOST_ROWS = 200;
/** They change with every change and tell nothing. */
const silent: ReadonlySet<string> = new Set(["last_updated", "project_number", "created"]);

/** What was done, or would be: one sentence, then every field from what to what, then who won and why. */
export function renderTaskOperation(operation: TaskOperation, { ascii }: OperationStyle): string {
  const { dryRun, summary, changes, imported, log, filesUpdated } = operation;
  const mark = operation.status === "partial" ? "!" : ascii ? "+" : "✔";
  const arrow = ascii ? "->" : "→";
  const titles = new Map(operation.tasks.map(({ id, title }) => [id, title]));
  const files = filesUpdated.length === 0 ? "none" : filesUpdated.join("  ");
  return [
    dryRun ? `dry run: ${visibleText(summary)}` : `${mark} ${visibleText(summary)}`,
    ...rowsOf(changes, { arrow, titles }),
    ...importedRows(imported, { arrow, titles }),
    ...log.map((line) => `  ${visibleText(line)}`),
    dryRun ? `  would write  ${files}` : `  files  ${files}`,
  ].join("\n");
}

/** Tasks that were there before are counted; what somebody changed by hand is shown. */
function importedRows(imported: readonly TaskChange[], words: RowWords): readonly string[] {
  const edits = imported.filter(({ kind }) => kind !== "adopted");
  const adopted = imported.length - edits.length;
  return [
    ...(adopted === 0
      ? []
      : [`  first use here: ${adopted} task${adopted === 1 ? "" : "s"} that were there are recorded now`]),
    ...(edits.length === 0 ? [] : ["  edited by hand", ...rowsOf(edits, words)]),
  ];
}

interface RowWords {
  readonly arrow: string;
  readonly titles: ReadonlyMap<string, string>;
}

function rowsOf(changes: readonly TaskChange[], words: RowWords): readonly string[] {
  const rows = changes.flatMap((change) => changeRows(change, words));
  if (rows.length === 0) return [];
  const shown = renderColumns(rows.slice(0, MOST_ROWS));
  return rows.length > MOST_ROWS ? [shown, `  … and ${rows.length - MOST_ROWS} more`] : [shown];
}

function changeRows(change: TaskChange, { arrow, titles }: RowWords): string[][] {
  const { taskId, kind, source, fields, before } = change;
  const from = source === "store" ? "" : source;
  const id = `  ${excerpt(taskId)}`;
  if (kind !== "changed") return [[id, kind, excerpt(titles.get(taskId) ?? titleOf(fields), 100), from]];
  const named = Object.entries(fields).filter(([name]) => !silent.has(name));
  return named.map(([name, value]) => [
    id,
    excerpt(name),
    `${valueText(before[name])} ${arrow} ${valueText(value)}`,
    from,
  ]);
}

function titleOf(fields: Readonly<Record<string, unknown>>): string {
  const title = fields["title"] ?? fields["project_name"] ?? "";
  return typeof title === "string" ? title : "";
}

function valueText(value: unknown): string {
  if (Array.isArray(value) && value.every((item) => typeof item !== "object"))
    return valueText(value.join(", "));
  if (value === undefined || value === null || value === "") return "(none)";
  return excerpt(typeof value === "string" ? value : JSON.stringify(value), LONGEST_VALUE);
}
