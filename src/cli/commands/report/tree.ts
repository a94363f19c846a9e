import { exitCode } from "../../../contract/exit-code.ts";
import { renderTreeDot } from "../../../reports/tree-dot.ts";
import { renderTreeMermaid } from "../../../reports/tree-mermaid.ts";
import { renderTreeText } from "../../../reports/tree-text.ts";
import { buildTree, treeDocument, type TreeNode } from "../../../reports/tree.ts";
import type { CommandContext, CommandOutcome, Invocation } from "../../command-module.ts";
import { findTarget } from "./find-target.ts";
import { nothingYet, readStore } from "./project-store.ts";

export function showTree(context: CommandContext, invocation: Invocation): Promise<CommandOutcome> {
  const format = invocation.option("format") ?? "text";
  return readStore(context, async (reader) => {
    const target = await findTarget(reader, invocation.argument("story"));
    if (reader === undefined || target === undefined) return emptyTree(format);
    const root = buildTree(await reader.storyTree(target.story.id), target.id);
    if (root === undefined) return emptyTree(format);
    const json = { story: target.story.id, tree: treeDocument(root) };
    const text = renderTree(root, format, context);
    const isDiagram = format === "mermaid" || format === "dot";
    return {
      exitCode: exitCode.completed,
      json: isDiagram ? { ...json, format, diagram: text } : json,
      text: text ?? renderDocument(json),
    };
  });
}

/** Undefined for JSON, which the caller has already. */
function renderTree(root: TreeNode, format: string, context: CommandContext): string | undefined {
  if (format === "mermaid") return renderTreeMermaid(root);
  if (format === "dot") return renderTreeDot(root);
  return format === "json" ? undefined : renderTreeText(root, context);
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
  return JSON.stringify({ schema: "ambit/v1", ...json }, null, 2);
}
