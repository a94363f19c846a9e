import type { ProjectContext } from "../git/repository.ts";
import type { OnWorkspaceProgress } from "./progress.ts";
import type { SetUp } from "./run-set-up.ts";

/** What making and renewing a checkout needs to know. */
export interface SlotOptions extends ProjectContext {
  /** Where port claims are kept: shared by all projects of the user, so that none gets another's ports. */
  readonly portsDirectory: string;
  readonly dependencyFolders: readonly string[];
  readonly dependencyWay: "auto" | "copy";
  readonly onProgress?: OnWorkspaceProgress;
  /** Run once in every new or cleaned checkout, before it counts as ready. */
  readonly setUp?: SetUp;
}
