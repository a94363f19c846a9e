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

/** Puts a node into the view, with any missing parents above it. */
export function putNodeInView<View extends Nodes>(view: View, node: StoryNode): View {
  const withParent = node.parent === null ? view : putParentNode(view, node.parent, node);
  return { ...withParent, nodes: new Map([...withParent.nodes, [node.id, node]]) };
}

function putParentNode<View extends Nodes>(view: View, parentId: string, node: StoryNode): View {
  const parent = findOrMakeNode(view, parentId);
  if (view.nodes.has(parentId) && parent.workers.includes(node.id)) return view;
  const numbers = new Map([...view.nodes.values(), node].map(({ id, number }) => [id, number]));
  const workers = [...new Set([...parent.workers, node.id])].sort(
    (one, other) => (numbers.get(one) ?? 0) - (numbers.get(other) ?? 0),
  );
  return putNodeInView(view, { ...parent, workers });
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
