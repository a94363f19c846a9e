import type { AgentAdapter } from "../agents/adapter.ts";
import type { Clock } from "../base/clock.ts";
import type { Limits } from "../contract/limits.ts";
import type { Store } from "../journal/store.ts";
import type { WorkspaceSettings } from "../workspace/worktree.ts";
import type { Isolation } from "./work-place.ts";

/** What every stage works with: the owners of all effects, made once by whoever runs the pipeline. */
export interface RunTools {
  readonly store: Store;
  readonly workspaces: WorkspaceSettings;
  readonly limits: Limits;
  /** Where workers work unless their story says otherwise. */
  readonly isolation: Isolation;
  readonly clock: Clock;
  /** Who holds the leases: named in the journal. */
  readonly owner: string;
  readonly environment: Readonly<Record<string, string | undefined>>;
  readonly findAdapter: (name: string) => AgentAdapter;
  /** Told of what happens, for whoever watches; never trusted, never waited for. */
  readonly watch: (notice: RunNotice) => void;
}

export type RunNotice =
  | { readonly kind: "stage"; readonly delegation: string; readonly stage: string; readonly detail: string }
  | { readonly kind: "output"; readonly delegation: string; readonly text: string }
  | {
      readonly kind: "closed";
      readonly delegation: string;
      readonly outcome: string;
      readonly summary: string;
    };
