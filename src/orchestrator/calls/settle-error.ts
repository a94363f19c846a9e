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
  const { files } = await importRemainingWork(engine.tools, delegation);
  return settleBroken(error, files, (await engine.read(delegation.id)).cancelRequested);
}
