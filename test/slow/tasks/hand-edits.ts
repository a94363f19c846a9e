import { parseTodo, type TodoEntry } from "../../../src/tasks/markdown/parse-todo.ts";
import { findValueSpan } from "../../../src/tasks/markdown/todo-values.ts";
import type { Random } from "../random.ts";

/** What a person did to TODO.md, and what must be found again. */
export interface HandEdit {
  readonly text: string;
  readonly expected?: { readonly id: string; readonly field: string; readonly value: string };
  /** Words that must never get lost. */
  readonly note?: string;
  /** An entry that was taken out, with all its words. */
  readonly removed?: { readonly id: string; readonly text: string };
}

const statuses = ["RESEARCHED", "PLANNED", "BLOCKED", "ON HOLD", "IMPLEMENTING", "COMPLETED"] as const;

export function editByHand(text: string, random: Random, serial: number): HandEdit | undefined {
  const document = parseTodo(text, "TODO.md");
  const entries = [...document.entries.values()];
  if (entries.length === 0) return undefined;
  const entry = random.pick(entries);
  const way = random.below(12);
  if (way === 0 && entries.length > 3) {
    const removed = { id: entry.id, text: text.slice(entry.start, entry.end) };
    return { text: text.slice(0, entry.start) + text.slice(entry.end), removed };
  }
  if (way === 1) return addedEntry(text, entries, serial);
  if (way < 5) return withNote(text, entry, serial);
  return changedField(text, entry, { random, serial });
}

function addedEntry(text: string, entries: readonly TodoEntry[], serial: number): HandEdit {
  const largest = Math.max(...entries.map(({ id }) => Number(id)));
  const note = `Note${serial}.`;
  const gap = text.endsWith("\n\n") || text === "" ? "" : "\n";
  return {
    text: `${text}${gap}### ${largest + 1}. T${serial} by hand\n- **Status**: [PLANNED]\n\n${note}\n`,
    note,
  };
}

function withNote(text: string, entry: TodoEntry, serial: number): HandEdit {
  const note = `Note${serial}.`;
  const own = text.slice(entry.start, entry.end).trimEnd();
  const end = entry.start + own.length;
  return { text: `${text.slice(0, end)}\n\n  > ${note}  odd   spacing${text.slice(end)}`, note };
}

function changedField(
  text: string,
  entry: TodoEntry,
  { random, serial }: { readonly random: Random; readonly serial: number },
): HandEdit | undefined {
  const document = parseTodo(text, "TODO.md");
  const field = random.pick(["status", "title", "priority", "effort", "description"] as const);
  const span = findValueSpan(document, entry, field);
  if (span === undefined) return undefined;
  const old = text.slice(span.start, span.end);
  const replace = (value: string): string => text.slice(0, span.start) + value + text.slice(span.end);
  const { id } = entry;
  if (field === "status") {
    const status = random.pick(statuses);
    const value = status.toLowerCase().replace(" ", "_");
    return { text: replace(`[${status}]`), expected: { id, field, value } };
  }
  if (field === "priority") {
    const value = random.pick(["low", "medium", "high"] as const);
    return { text: replace(value), expected: { id, field, value } };
  }
  // The first word of a title says which task it is, whatever becomes of the rest.
  const value = field === "title" ? `${old.split(" ")[0]} renamed ${serial}` : `by hand ${serial}`;
  return { text: replace(value), expected: { id, field, value } };
}
