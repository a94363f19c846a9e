import type { ProjectContext } from "../git/repository.ts";
import type { OnWorkspaceProgress } from "./progress.ts";
import type { SetUp } from "./run-set-up.ts";

/** Everything needed to create and renew a checkout. */
export interface SlotOptions extends ProjectContext {
  /** The folder of port claims. All projects of the user share it, so that they get different ports. */
  readonly portsDirectory: string;
  readonly dependencyFolders: readonly string[];
  readonly dependencyWay: "auto" | "copy";
  /** Patterns of ignored files to bring, in addition to those of `.worktreeinclude`. */
  readonly include: readonly string[];
  readonly onProgress?: OnWorkspaceProgress;
  /** Run once in every new or cleaned checkout before it counts as ready. */
  readonly setUp?: SetUp;
  /** Changes with every other input that prepares a checkout; a waiting checkout of another recipe is not handed out. */
  readonly recipe: string;
  /** No worker gets its checkouts, and none is used after this process. */
  readonly isThrowaway?: boolean;
}
