import { builtInAgents } from "../../agents/agent-programs.ts";
import type { Delegation } from "../../journal/store.ts";

/** The adapter of a manager that runs in somebody's own terminal: there is no process of ours to drive. */
export const OUTSIDE_ADAPTER = "outside";

/** Only a story can be led from outside; whatever a worker's record says, it is a process of ours. */
export function isOutside({ parent, work }: Pick<Delegation, "parent" | "work">): boolean {
  return parent === null && work?.adapter === OUTSIDE_ADAPTER;
}

const PREFIX = `${OUTSIDE_ADAPTER}:`;
const LONGEST_NAME = 60;

/** What such a manager is called on every path below it: never the name of an agent, so that it makes no circle. */
export function nameOutside(client: string): string {
  const name = client
    .toLowerCase()
    .replaceAll(/[^a-z0-9._-]/g, "-")
    .slice(0, LONGEST_NAME);
  return `${PREFIX}${name === "" ? "client" : name}`;
}

/** The adapter that drives the same program as the manager's own, where there is one by its client's name. */
export function adapterLike(manager: Pick<Delegation, "agent">): string | undefined {
  const name = manager.agent?.slice(PREFIX.length) ?? "";
  return builtInAgents.find((adapter) => name.startsWith(adapter));
}

/** What such a manager is told after handing out work or waiting for it: nobody resumes it, and its files stay its own. */
export function adviseOutside(
  { story }: Pick<Delegation, "story">,
  { done, questions }: { readonly done: boolean; readonly questions: number },
): string {
  if (done)
    return `All have ended. Completed work is merged into ambit/${story}, not into your files; take it with: ambit merge ${story}`;
  if (questions > 0) return "Somebody waits for an answer: settle it, then wait again.";
  return "They are still at work. Go on with something else and wait again later, with the newest cursor.";
}
