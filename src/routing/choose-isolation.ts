export type Isolation = "worktree" | "sandbox";

/**
 * The isolation that one source asks for: project, story, agent definition or a manager above. Absent means no opinion.
 */
export interface IsolationWish {
  readonly isolation?: Isolation | undefined;
  readonly network?: boolean | null | undefined;
}

export interface ChosenIsolation {
  readonly isolation: Isolation;
  /** Whether a sandbox may use the network. */
  readonly network: boolean;
}

/**
 * The strictest of all wishes, in any order: one that asks for the sandbox is enough, and the network needs one that
 * allows it and none that refuses it. So a worker can be isolated more than its manager, never less.
 */
export function chooseIsolation(wishes: readonly IsolationWish[]): ChosenIsolation {
  const asked = new Set(wishes.map(({ network }) => network));
  return {
    isolation: wishes.some(({ isolation }) => isolation === "sandbox") ? "sandbox" : "worktree",
    network: asked.has(true) && !asked.has(false),
  };
}
