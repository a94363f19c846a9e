import { safeText } from "../../base/safe-text.ts";
import type { DelegationStatus } from "../../journal/delegation-status.ts";
import { listTreeNodes, type DrawnNode } from "../../reports/tree.ts";

/** A graph for Graphviz. Ids and texts are quoted and cannot leave their quotes. */
export function renderTreeDot(root: DrawnNode): string {
  const nodes = listTreeNodes(root);
  return [
    `digraph ${quote(root.id)} {`,
    '  node [shape=box, style=filled, fontname="sans-serif"];',
    ...nodes.map((node) => `  ${quote(node.id)} [label=${label(node)}, fillcolor="${color(node.status)}"];`),
    ...nodes.flatMap((node) => node.workers.map((worker) => `  ${quote(node.id)} -> ${quote(worker.id)};`)),
    "}",
  ].join("\n");
}

function label({ id, title, depth, status }: DrawnNode): string {
  const lines = [id, title, `depth=${depth} [${status}]`].map(escapeQuoted);
  return `"${lines.join("\\n")}"`;
}

function quote(text: string): string {
  return `"${escapeQuoted(text)}"`;
}

/** In a quoted text of this language only the quote ends it, and the backslash starts an escape. */
function escapeQuoted(text: string): string {
  return safeText(text).replaceAll("\\", "\\\\").replaceAll('"', '\\"');
}

function color(status: DelegationStatus): string {
  if (status === "completed") return "#90EE90";
  if (status === "running") return "#FFD700";
  return status === "pending" ? "#D3D3D3" : "#F08080";
}
