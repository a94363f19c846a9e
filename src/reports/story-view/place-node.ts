import type { StoryNode, StoryView } from "../story-node.ts";

type Nodes = Pick<StoryView, "story" | "nodes">;

/** The node of an id, or a blank one that stands where the id says: events of its beginning may be missing. */
export function findNode(view: Nodes, id: string): StoryNode {
  const known = view.nodes.get(id);
  if (known !== undefined) return known;
  if (id === view.story) return { ...blank, id };
  const parent = findNode(view, parentFromId(view.story, id));
  const number = numberFromId(id) ?? parent.workers.length + 1;
  return placeBelow(parent, { ...blank, id, number });
}

/** A node below its parent, with the label and depth that follow from there. */
export function placeBelow(parent: StoryNode, node: StoryNode): StoryNode {
  const label = parent.label === "" ? String(node.number) : `${parent.label}.${node.number}`;
  return { ...node, parent: parent.id, label, depth: parent.depth + 1 };
}

/** Puts a node into the view, and its parents above it where they are missing. */
export function putNode<View extends Nodes>(view: View, node: StoryNode): View {
  const withParent = node.parent === null ? view : putParent(view, node.parent, node);
  return { ...withParent, nodes: new Map([...withParent.nodes, [node.id, node]]) };
}

function putParent<View extends Nodes>(view: View, parentId: string, node: StoryNode): View {
  const parent = findNode(view, parentId);
  if (view.nodes.has(parentId) && parent.workers.includes(node.id)) return view;
  const numbers = new Map([...view.nodes.values(), node].map(({ id, number }) => [id, number]));
  const workers = [...new Set([...parent.workers, node.id])].sort(
    (one, other) => (numbers.get(one) ?? 0) - (numbers.get(other) ?? 0),
  );
  return putNode(view, { ...parent, workers });
}

const MARK = "-DEL-";

function parentFromId(story: string, id: string): string {
  const parent = id.slice(0, Math.max(0, id.lastIndexOf(MARK)));
  return parent.startsWith(story) ? parent : story;
}

function numberFromId(id: string): number | undefined {
  const digits = id.slice(id.lastIndexOf(MARK) + MARK.length);
  const number = Number(digits);
  return id.includes(MARK) && digits !== "" && Number.isSafeInteger(number) && number > 0
    ? number
    : undefined;
}

const blank: StoryNode = {
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
  criteria: { total: 0, verdicts: new Map(), passed: 0 },
  activity: "",
  refusals: [],
  approvals: [],
  waitingFor: [],
  dependsOn: [],
  waitReason: "",
  retryAtMs: null,
  isStopping: false,
  isChecking: false,
  mergeRefusal: null,
  limits: { microUsd: null, tokens: null, seconds: null, maxDepth: null, maxDelegations: null, fanOut: [] },
  workers: [],
};
