import { isBelow } from "../../contract/child-id.ts";
import type { Delegation } from "../../journal/store.ts";
import type { RunTools } from "../ports/run-tools.ts";

/** A manager's own workers that have not ended. */
export async function findOpenWorkers(
  tools: RunTools,
  { id, story, openWorkers }: Delegation,
): Promise<readonly Delegation[]> {
  if (openWorkers === 0) return [];
  const tree = await tools.store.storyTree(story);
  return tree.filter(({ parent, state }) => parent === id && state !== "closed");
}

/** The workers among them that may be waiting for a slot. */
export async function findQueuedWorkers(tools: RunTools, manager: Delegation): Promise<readonly string[]> {
  const open = await findOpenWorkers(tools, manager);
  return open.filter(({ state }) => state === "queued").map(({ id }) => id);
}

/** A delegation and everything below it that has not ended. */
export async function findOpenBelow(
  tools: RunTools,
  { id, story }: Delegation,
): Promise<readonly Delegation[]> {
  const tree = await tools.store.storyTree(story);
  return tree.filter((one) => one.state !== "closed" && isWithinSubtree(one.id, id));
}

/** Finds delegations that have ended in the stories of these delegations. */
export async function findEndedBeside(
  { store }: RunTools,
  open: readonly Delegation[],
): Promise<readonly Delegation[]> {
  const trees = await Promise.all(
    [...new Set(open.map(({ story }) => story))].map((id) => store.storyTree(id)),
  );
  return trees.flat().filter(({ state }) => state === "closed");
}

export function isWithinSubtree(id: string, root: string): boolean {
  return id === root || isBelow(id, root);
}
