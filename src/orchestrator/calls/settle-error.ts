import { join } from "node:path";
import { hasErrorCode, pathExists } from "../../base/files.ts";
import { orchestratorErrors } from "../../errors/orchestrator.ts";
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
  const isLogsGone = concernsLogs(error, join(engine.tools.stateDirectory, "logs", delegation.id));
  const told = isLogsGone ? orchestratorErrors.logsGone(delegation.id, error) : error;
  return settleBroken(told, { files, left, isCancelled });
}

/** A worker can write to the folder with its own output. */
function concernsLogs(error: unknown, folder: string): boolean {
  const isGone = ["EEXIST", "EISDIR", "ENOENT", "ENOTDIR"].some((code) => hasErrorCode(error, code));
  const path = error instanceof Error && "path" in error ? error.path : undefined;
  return isGone && typeof path === "string" && path.startsWith(folder);
}
