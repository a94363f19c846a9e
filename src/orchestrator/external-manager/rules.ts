import { builtInAgents } from "../../agents/agent-programs.ts";
import type { Delegation } from "../../journal/store.ts";
import { OUTSIDE_ADAPTER } from "../delegation/kind.ts";

const PREFIX = `${OUTSIDE_ADAPTER}:`;
const MAX_NAME_LENGTH = 60;

/** The name of an external manager on every path below it. It is never an agent's name, so it cannot close a cycle. */
export function nameExternalManager(client: string): string {
  const name = client
    .toLowerCase()
    .replaceAll(/[^a-z0-9._-]/g, "-")
    .slice(0, MAX_NAME_LENGTH);
  return `${PREFIX}${name === "" ? "client" : name}`;
}

/** The adapter that drives the same program as the manager's client, if there is one. */
export function findAdapterLike(manager: Pick<Delegation, "agent">): string | undefined {
  const name = manager.agent?.slice(PREFIX.length) ?? "";
  return builtInAgents.find((adapter) => name.startsWith(adapter));
}

/** The advice after delegating or waiting. Ambit cannot resume this manager, and never changes its files. */
export function adviseExternalManager(
  { story }: Pick<Delegation, "story">,
  { done, ends, questions }: { readonly done: boolean; readonly ends: string; readonly questions: number },
): string {
  if (done)
    return `All have ended: ${ends}. Completed work is merged into ambit/${story}, not into your files; take it with: ambit merge ${story}`;
  if (questions > 0) return "A worker waits for an answer: settle it, then wait again.";
  return "They are still at work. Continue with something else and wait again later, with the newest cursor.";
}
