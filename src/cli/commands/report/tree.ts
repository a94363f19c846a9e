import { safeJson } from "../../../base/safe-json.ts";
import { exitCode } from "../../../contract/exit-code.ts";
import { renderTreeDot } from "../../render/tree-dot.ts";
import { renderTreeMermaid } from "../../render/tree-mermaid.ts";
import { renderTreeText } from "../../../reports/tree-text.ts";
import { buildTree, treeDocument, type TreeNode } from "../../../reports/tree.ts";
import { todoDocument, type TodoView } from "../../../journal/todo-view.ts";
import type { CommandContext, CommandOutcome, Invocation } from "../../command-module.ts";
import { paint } from "../../render/paint.ts";
import { renderTodoLists } from "../../render/todo-list.ts";
import { readStoryTodos } from "../see/story-todos.ts";
import { findTarget } from "../../../app/find-target.ts";
import { nothingYet, readStore } from "../../../app/open-project.ts";

export function showTree(context: CommandContext, invocation: Invocation): Promise<CommandOutcome> {
  const format = invocation.option("format") ?? "text";
  return readStore(context, async (reader) => {
    const target = await findTarget(reader, invocation.argument("story"));
    if (reader === undefined || target === undefined) return emptyTree(format);
    const root = buildTree(await reader.storyTree(target.story.id), target.id);
    if (root === undefined) return emptyTree(format);
    const todos = await readStoryTodos(reader, target.story.id);
    const json = { story: target.story.id, tree: treeDocument(root), todos: todos.map(todoDocument) };
    const text = renderTree(root, format, { ...context, todos });
    const isDiagram = format === "mermaid" || format === "dot";
    return {
      exitCode: exitCode.completed,
      json: isDiagram ? { ...json, format, diagram: text } : json,
      text: text ?? renderDocument(json),
    };
  });
}

/** Undefined for JSON, which the caller has already. */
function renderTree(
  root: TreeNode,
  format: string,
  context: CommandContext & { readonly todos: readonly TodoView[] },
): string | undefined {
  if (format === "mermaid") return renderTreeMermaid(root);
  if (format === "dot") return renderTreeDot(root);
  if (format === "json") return undefined;
  const { ascii, verbose } = context;
  const lists = renderTodoLists(context.todos, { ascii, verbose, paint: paint(context.color("stdout")) });
  return [renderTreeText(root, context), lists].filter((part) => part !== "").join("\n\n");
}

function emptyTree(format: string): CommandOutcome {
  const json = { story: null, tree: null };
  const diagrams = new Map([
    ["json", renderDocument(json)],
    ["mermaid", "graph TD"],
    ["dot", "digraph {}"],
  ]);
  return { exitCode: exitCode.completed, json, text: diagrams.get(format) ?? nothingYet };
}

function renderDocument(json: Readonly<Record<string, unknown>>): string {
  return safeJson({ schema: "ambit/v1", ...json }, 2);
}
