import type { WorkSpec } from "../../contract/work-spec.ts";
import type { Delegation } from "../../journal/store.ts";
import { chooseIsolation, type IsolationWish } from "../../routing/choose-isolation.ts";
import { isLedWithoutAgent } from "../delegation/kind.ts";

interface RoutedIsolation {
  readonly work: Pick<WorkSpec, "isolation" | "network">;
  readonly warnings: readonly string[];
}

/** The strictest of all wishes. A worktree is recorded only if one was requested: otherwise the setting decides later. */
export function routeIsolation(wishes: readonly IsolationWish[]): RoutedIsolation {
  const { isolation, network } = chooseIsolation(wishes);
  const [, ...asked] = wishes;
  const isAsked = isolation === "sandbox" || asked.some((wish) => wish.isolation !== undefined);
  const isRaised = isolation === "sandbox" && asked.some((wish) => wish.isolation === "worktree");
  return {
    work: { ...(isAsked ? { isolation } : {}), ...(network ? { network } : {}) },
    warnings: isRaised ? [RAISED_ISOLATION] : [],
  };
}

const RAISED_ISOLATION =
  "isolation: worktree has no effect: the project, the story, the agent or a manager asks for the sandbox";

/** An agent without the network cannot give it to its workers; a manager that has no process has no opinion. */
export function readManagerWishes(manager: Delegation): readonly IsolationWish[] {
  const { work, workspace } = manager;
  const network = isLedWithoutAgent(manager) ? work?.network : (work?.network ?? false);
  return [{ isolation: work?.isolation, network }, { isolation: workspace?.isolation }];
}
