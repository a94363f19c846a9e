import { safeText } from "../base/safe-text.ts";
import { weakWords } from "./proof-words.ts";
import type { DrawnNode } from "./tree.ts";

interface Branches {
  readonly fork: string;
  readonly last: string;
  readonly through: string;
  readonly blank: string;
}

const lines: Branches = { fork: "├── ", last: "└── ", through: "│   ", blank: "    " };
const asciiLines: Branches = { fork: "|-- ", last: "`-- ", through: "|   ", blank: "    " };

/** R98: `US-007: Add authentication (depth=0) [running]`, one line per node. */
export function renderTreeText(root: DrawnNode, { ascii }: { readonly ascii: boolean }): string {
  return [describeNode(root), ...renderWorkers(root, "", ascii ? asciiLines : lines)].join("\n");
}

function renderWorkers(node: DrawnNode, indent: string, branches: Branches): readonly string[] {
  return node.workers.flatMap((worker, index) => {
    const isLast = index === node.workers.length - 1;
    const below = indent + (isLast ? branches.blank : branches.through);
    const line = indent + (isLast ? branches.last : branches.fork) + describeNode(worker);
    return [line, ...renderWorkers(worker, below, branches)];
  });
}

function describeNode({ id, title, depth, status, shows, machine }: DrawnNode): string {
  const weak = weakWords[shows];
  const where = machine === undefined ? "" : ` on ${safeText(machine)}`;
  const line = `${safeText(id)}: ${safeText(title)} (depth=${depth}) [${status}]${where}`;
  return weak === undefined ? line : `${line} ${weak}`;
}
