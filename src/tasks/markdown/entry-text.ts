import type { TodoDocument, TodoEntry } from "./parse-todo.ts";

/** The text of an entry without the blank lines and the `---` line after it, for the archive. */
export function readEntryText(document: TodoDocument | undefined, entry: TodoEntry): string {
  const text = (document?.text.slice(entry.start, entry.end) ?? "").trimEnd();
  if (!entry.hasBreak) return text;
  const line = text.lastIndexOf("\n");
  return line === -1 ? text : text.slice(0, line).trimEnd();
}
