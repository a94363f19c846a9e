import type { Delegation } from "../../journal/store.ts";
import type { Circle } from "../../mailbox/find-recipient.ts";
import type { RunTools } from "../ports/run-tools.ts";

/** The delegations that one may write to: its manager and its workers. */
export async function readCircle(tools: RunTools, self: Delegation): Promise<Circle> {
  const manager = self.parent === null ? undefined : await tools.store.delegation(self.parent);
  const tree = self.workers === 0 ? [] : await tools.store.storyTree(self.story);
  return {
    self: self.id,
    manager: manager === undefined ? null : { id: manager.id, agent: manager.agent },
    workers: tree
      .filter(({ parent }) => parent === self.id)
      .map(({ id, agent, todo, state }) => ({ id, agent, todo, isOpen: state !== "closed" })),
  };
}
