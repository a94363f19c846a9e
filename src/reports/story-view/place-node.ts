import { splitChildId } from "../../contract/child-id.ts";
import type { StoryNode, StoryView } from "./story-node.ts";

type Nodes = Pick<StoryView, "story" | "nodes">;

/** The node with an id, or a blank one placed where its id says: its first events may be missing. */
export function findOrMakeNode(view: Nodes, id: string): StoryNode {
  const known = view.nodes.get(id);
  if (known !== undefined) return known;
  if (id === view.story) return { ...blankNode, id };
  const { parentId = "", number } = splitChildId(id) ?? {};
  const parent = findOrMakeNode(view, parentId.startsWith(view.story) ? parentId : view.story);
  return placeBelowParent(parent, { ...blankNode, id, number: number ?? parent.workers.length + 1 });
}

/** Puts a node below its parent, which gives it its label and depth. */
export function placeBelowParent(parent: StoryNode, node: StoryNode): StoryNode {
  const label = parent.label === "" ? String(node.number) : `${parent.label}.${node.number}`;
  return { ...node, parent: parent.id, label, depth: parent.depth + 1 };
}

/** The nodes of a story that is being read. */
export interface GrowingView {
  readonly story: string;
  readonly nodes: Map<string, StoryNode>;
}

/** Puts a node into the view, with any missing parents above it; returns the nodes that changed. */
export function putNode(view: GrowingView, node: StoryNode): readonly StoryNode[] {
  // A node that is there is among the workers of its parent.
  const isNew = node.parent !== null && !view.nodes.has(node.id);
  const above = isNew && node.parent !== null ? putParentNode(view, node.parent, node) : [];
  view.nodes.set(node.id, node);
  return [...above, node];
}

function putParentNode(view: GrowingView, parentId: string, node: StoryNode): readonly StoryNode[] {
  const parent = findOrMakeNode(view, parentId);
  if (view.nodes.has(parentId) && parent.workers.includes(node.id)) return [];
  const readNumber = (id: string): number =>
    id === node.id ? node.number : (view.nodes.get(id)?.number ?? 0);
  const workers = [...new Set([...parent.workers, node.id])].sort(
    (one, other) => readNumber(one) - readNumber(other),
  );
  return putNode(view, { ...parent, workers });
}

const blankNode: StoryNode = {
  id: "",
  parent: null,
  number: 0,
  label: "",
  depth: 0,
  title: "",
  agent: "",
  model: "",
  state: "queued",
  outcome: null,
  code: null,
  summary: "",
  attempt: 0,
  openedAtMs: null,
  startedAtMs: null,
  endedAtMs: null,
  microUsd: 0,
  tokens: 0,
  costSource: "reported",
  earlierCostSource: "reported",
  filesChanged: [],
  criteria: { total: 0, advisory: new Set(), verdicts: new Map(), passed: 0 },
  activity: "",
  heardAtMs: null,
  isStalled: false,
  findings: [],
  refusals: [],
  approvals: [],
  waitingFor: [],
  dependsOn: [],
  waitReason: "",
  retryAtMs: null,
  isStopping: false,
  isChecking: false,
  mergeRefusal: null,
  start: null,
  redBase: [],
  shows: "",
  outside: [],
  limits: { microUsd: null, tokens: null, seconds: null, maxDepth: null, maxDelegations: null, fanOut: [] },
  workers: [],
};
