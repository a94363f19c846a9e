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

/** A delegation and everything below it that has not ended. */
export async function findOpenBelow(
  tools: RunTools,
  { id, story }: Delegation,
): Promise<readonly Delegation[]> {
  const tree = await tools.store.storyTree(story);
  return tree.filter((one) => one.state !== "closed" && isWithinSubtree(one.id, id));
}

export function isWithinSubtree(id: string, root: string): boolean {
  return id === root || isBelow(id, root);
}
