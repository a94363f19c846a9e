import { pathExists } from "../../base/files.ts";
import type { Delegation, Settlement } from "../../journal/store.ts";
import { importRemainingWork } from "../delegation/keep-work.ts";
import type { EngineCalls } from "../live/engine-calls.ts";
import { settleBroken } from "../merged/close-delegation.ts";

/** After an error in the runtime itself: keeps the work and says how the delegation closes. */
export async function settleError(
  engine: Pick<EngineCalls, "read" | "tools">,
  delegation: Delegation,
  error: unknown,
): Promise<Settlement> {
  const { files, isAll } = await importRemainingWork(engine.tools, delegation);
  const { workspace, cancelRequested: isCancelled } = await engine.read(delegation.id);
  const left = isAll || workspace === null || !pathExists(workspace.path) ? undefined : workspace.path;
  return settleBroken(error, { files, left, isCancelled });
}
