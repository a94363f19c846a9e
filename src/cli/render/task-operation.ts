import { renderColumns } from "./columns.ts";
import { quoteExcerpt, visibleText } from "../../base/visible-text.ts";
import type { DescribedOperation } from "../../app/change-tasks.ts";

/** The part of an operation's document that is shown to people. */
export type ShownOperation = Pick<
  DescribedOperation,
  "error" | "status" | "dry_run" | "summary" | "changes" | "imported" | "log"
> & {
  readonly metadata: Pick<DescribedOperation["metadata"], "files_updated">;
  readonly tasks: readonly Pick<DescribedOperation["tasks"][number], "id" | "title">[];
};

type ShownChange = DescribedOperation["changes"][number];

export interface OperationStyle {
  readonly ascii: boolean;
}

const MAX_VALUE = 48;
const MAX_ROWS = 200;
/** These fields change with every operation and say nothing. */
const silent: ReadonlySet<string> = new Set(["last_updated", "project_number", "created"]);

/** One sentence, then the old and new value of every changed field, then which side won and why. */
export function renderTaskOperation(operation: ShownOperation, { ascii }: OperationStyle): string {
  const { dry_run: dryRun, summary, changes, imported, log } = operation;
  const filesUpdated = operation.metadata.files_updated;
  const mark = operation.status === "partial" ? "!" : ascii ? "+" : "✔";
  const arrow = ascii ? "->" : "→";
  const titles = new Map(operation.tasks.map(({ id, title }) => [id, title]));
  const files = filesUpdated.length === 0 ? "none" : filesUpdated.join("  ");
  return [
    dryRun ? `dry run: ${visibleText(summary)}` : `${mark} ${visibleText(summary)}`,
    ...renderRows(changes, { arrow, titles }),
    ...renderImported(imported, { arrow, titles }),
    ...log.map((line) => `  ${visibleText(line)}`),
    dryRun ? `  would write  ${files}` : `  files  ${files}`,
  ].join("\n");
}

/** Tasks that existed before are counted; edits by hand are shown. */
function renderImported(imported: readonly ShownChange[], words: RowWords): readonly string[] {
  const edits = imported.filter(({ kind }) => kind !== "adopted");
  const adopted = imported.length - edits.length;
  return [
    ...(adopted === 0
      ? []
      : [
          `  first use here: ${adopted === 1 ? "1 task that was there is" : `${adopted} tasks that were there are`} recorded now`,
        ]),
    ...(edits.length === 0 ? [] : ["  edited by hand", ...renderRows(edits, words)]),
  ];
}

interface RowWords {
  readonly arrow: string;
  readonly titles: ReadonlyMap<string, string>;
}

function renderRows(changes: readonly ShownChange[], words: RowWords): readonly string[] {
  const rows = changes.flatMap((change) => renderChange(change, words));
  if (rows.length === 0) return [];
  const shown = renderColumns(rows.slice(0, MAX_ROWS));
  return rows.length > MAX_ROWS ? [shown, `  … and ${rows.length - MAX_ROWS} more`] : [shown];
}

function renderChange(change: ShownChange, { arrow, titles }: RowWords): string[][] {
  const { task_id: taskId, kind, source, fields, before } = change;
  const from = source === "store" ? "" : source;
  const id = `  ${quoteExcerpt(taskId)}`;
  if (kind !== "changed")
    return [[id, kind, quoteExcerpt(titles.get(taskId) ?? readTitle(fields), 100), from]];
  const named = Object.entries(fields).filter(([name]) => !silent.has(name));
  return named.map(([name, value]) => [
    id,
    quoteExcerpt(name),
    `${renderValue(before[name])} ${arrow} ${renderValue(value)}`,
    from,
  ]);
}

function readTitle(fields: Readonly<Record<string, unknown>>): string {
  const title = fields["title"] ?? fields["project_name"] ?? "";
  return typeof title === "string" ? title : "";
}

function renderValue(value: unknown): string {
  if (Array.isArray(value) && value.every((item) => typeof item !== "object"))
    return renderValue(value.join(", "));
  if (value === undefined || value === null || value === "") return "(none)";
  return quoteExcerpt(typeof value === "string" ? value : JSON.stringify(value), MAX_VALUE);
}
