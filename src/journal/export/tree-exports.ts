import { delegationStatus } from "../model/delegation-status.ts";
import type { Delegation, StoreReader } from "../model/store.ts";
import type { Chunk } from "./write-atomically.ts";

const PAGE = 200;

/** R96: `execution_graph.json`, one node or edge per line. */
export async function* executionGraph(reader: StoreReader, story: string | undefined): AsyncGenerator<Chunk> {
  const edges: string[] = [];
  let separator = "";
  yield { text: '{\n"nodes": {', entries: 0 };
  for await (const tree of storyTrees(reader, story)) {
    const workers = groupWorkers(tree);
    const nodes = tree.map(
      (delegation) =>
        `${JSON.stringify(delegation.id)}: ${JSON.stringify(graphNode(delegation, workers.get(delegation.id) ?? []))}`,
    );
    for (const { id, parent } of tree)
      if (parent !== null) edges.push(JSON.stringify({ from: parent, to: id }));
    yield { text: `${separator}\n${nodes.join(",\n")}`, entries: tree.length };
    separator = ",";
  }
  yield { text: `\n},\n"edges": [\n${edges.join(",\n")}\n]\n}\n`, entries: 0 };
}

function groupWorkers(tree: readonly Delegation[]): ReadonlyMap<string, readonly string[]> {
  const workers = new Map<string, string[]>();
  for (const { id, parent } of tree) {
    if (parent === null) continue;
    const siblings = workers.get(parent);
    if (siblings === undefined) workers.set(parent, [id]);
    else siblings.push(id);
  }
  return workers;
}

function graphNode(delegation: Delegation, children: readonly string[]): unknown {
  const { id, depth, parent, startedAt, closedAt } = delegation;
  return {
    story_id: id,
    depth,
    parent,
    children,
    status: delegationStatus(delegation),
    ...(startedAt === null ? {} : { started_at: startedAt }),
    ...(closedAt === null ? {} : { completed_at: closedAt }),
  };
}

/** R97: `depth_tracker.json`: depth by delegation and by execution id, and which of them are open now. */
export async function* depthTracker(reader: StoreReader, story: string | undefined): AsyncGenerator<Chunk> {
  const executions: string[] = [];
  const active: string[] = [];
  let deepest = 0;
  let separator = "";
  yield { text: '{\n"agents": {', entries: 0 };
  for await (const tree of storyTrees(reader, story)) {
    const agents = tree.map(({ id, depth }) => `${JSON.stringify(id)}: ${depth}`);
    for (const { id, depth, executionId, state } of tree) {
      deepest = Math.max(deepest, depth);
      if (executionId !== "") executions.push(`${JSON.stringify(executionId)}: ${depth}`);
      if (state !== "closed") active.push(JSON.stringify(id));
    }
    yield { text: `${separator}\n${agents.join(",\n")}`, entries: tree.length };
    separator = ",";
  }
  const end = `"executions": {\n${executions.join(",\n")}\n},\n"active": [${active.join(", ")}]`;
  yield { text: `\n},\n${end},\n"max_depth_seen": ${deepest}\n}\n`, entries: 0 };
}

/** One story at a time: a tree is bounded by its limits, a store is not. */
async function* storyTrees(
  reader: StoreReader,
  story: string | undefined,
): AsyncGenerator<readonly Delegation[]> {
  if (story !== undefined) {
    yield await reader.storyTree(story);
    return;
  }
  for (let after = ""; ;) {
    const ids = await reader.storyIds({ prefix: "", after, limit: PAGE });
    for (const id of ids) yield await reader.storyTree(id);
    const last = ids.at(-1);
    if (last === undefined) return;
    after = last;
  }
}
