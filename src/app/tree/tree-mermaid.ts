import { safeText } from "../../base/safe-text.ts";
import type { DelegationStatus } from "../../journal/delegation-status.ts";
import { listTreeNodes, type DrawnNode } from "../../reports/tree.ts";

const classes = {
  completed: "fill:#90EE90",
  running: "fill:#FFD700",
  pending: "fill:#D3D3D3",
  unfinished: "fill:#F08080",
} as const;

type NodeClass = keyof typeof classes;

/** R99: a flowchart that Markdown viewers draw. Texts are encoded, so that none can add to the diagram. */
export function renderTreeMermaid(root: DrawnNode): string {
  const nodes = listTreeNodes(root);
  const edges = nodes.flatMap((node) =>
    node.workers.map((worker) => `    ${nodeId(node)} --> ${nodeId(worker)}`),
  );
  const definitions = Object.entries(classes).map(([name, style]) => `    classDef ${name} ${style}`);
  return [
    "graph TD",
    ...nodes.map((node) => `    ${nodeId(node)}["${label(node)}"]`),
    ...edges,
    "",
    ...definitions,
    "",
    ...assignClasses(nodes),
  ].join("\n");
}

/** The beginning keeps words such as `end`, which mean something to Mermaid, out of the way. */
function nodeId({ id }: DrawnNode): string {
  const spelled = id.replaceAll(/[^A-Za-z0-9-]/g, (character) => `_${character.charCodeAt(0)}_`);
  return `n_${spelled.replaceAll("-", "_")}`;
}

function label({ id, title, depth }: DrawnNode): string {
  return [encode(id), encode(title), `depth=${depth}`].join("<br/>");
}

const asciiMarks = /[!-/:-@[-`{-~]/g;
const plainMarks = "-_.,()/:";

/** Marks that could end a text or start a tag become numbered entities; letters of every alphabet stay. */
function encode(text: string): string {
  return safeText(text).replaceAll(asciiMarks, (mark) =>
    plainMarks.includes(mark) ? mark : `#${mark.charCodeAt(0)};`,
  );
}

function assignClasses(nodes: readonly DrawnNode[]): readonly string[] {
  return Object.keys(classes).flatMap((name) => {
    const members = nodes.filter(({ status }) => classOf(status) === name);
    return members.length === 0 ? [] : [`    class ${members.map(nodeId).join(",")} ${name}`];
  });
}

function classOf(status: DelegationStatus): NodeClass {
  switch (status) {
    case "completed":
    case "running":
    case "pending":
      return status;
    case "partial":
    case "failed":
    case "blocked":
    case "cancelled":
    case "timed_out":
      return "unfinished";
  }
}
