import { countIndent, splitLines } from "../markdown/lines.ts";
import { parseTodo } from "../markdown/parse-todo.ts";
import { readTodoValues } from "../markdown/todo-values.ts";
import { type ImportedItem, parsePriorityWord, parseStatusWord } from "./imported-item.ts";

/** Reads a Markdown task file: entries such as `### 244. Title`, or else a list of check boxes. */
export function readMarkdownItems(text: string, source: string): readonly ImportedItem[] {
  const entries = readTodoEntries(text, source);
  return entries.length > 0 ? entries : readCheckBoxes(text);
}

function readTodoEntries(text: string, source: string): readonly ImportedItem[] {
  const document = parseTodo(text, source);
  return [...document.entries.values()].map((entry) => {
    const values = readTodoValues(document, entry);
    return {
      id: entry.id,
      title: values.title ?? "",
      description: values.description ?? "",
      status: parseStatusWord(values.status ?? ""),
      priority: parsePriorityWord(values.priority ?? ""),
      language: values.language ?? "general",
      dependencies: (values.dependencies ?? "").split(",").filter((id) => id !== ""),
      parent: undefined,
      criteria: [],
    };
  });
}

interface OpenItem {
  readonly indent: number;
  readonly id: string;
}

/** Reads `- [ ] text` and `- [x] text`; an item with deeper indentation is a part of the one above. */
function readCheckBoxes(text: string): readonly ImportedItem[] {
  const items: ImportedItem[] = [];
  const open: OpenItem[] = [];
  for (const line of splitLines(text)) {
    const box = readCheckBox(line.text);
    if (box === undefined) continue;
    while ((open.at(-1)?.indent ?? -1) >= box.indent) open.pop();
    const id = String(items.length + 1);
    items.push({
      id,
      title: box.title,
      description: "",
      status: box.isDone ? "completed" : "not_started",
      priority: "medium",
      language: "general",
      dependencies: [],
      parent: open.at(-1)?.id,
      criteria: [],
    });
    open.push({ indent: box.indent, id });
  }
  return items;
}

function readCheckBox(
  line: string,
): { readonly indent: number; readonly isDone: boolean; readonly title: string } | undefined {
  const plain = line.replaceAll("\t", "    ");
  const indent = countIndent(plain);
  const rest = plain.slice(indent);
  const isBullet = rest.startsWith("- [") || rest.startsWith("* [") || rest.startsWith("+ [");
  const mark = rest.charAt(3).toLowerCase();
  if (!isBullet || rest.charAt(4) !== "]" || (mark !== " " && mark !== "x")) return undefined;
  const title = rest.slice(5).trim();
  return title === "" ? undefined : { indent, isDone: mark === "x", title };
}
