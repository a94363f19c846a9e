import { recordEvent } from "../delegation/record.ts";
import type { RunTools } from "../ports/run-tools.ts";

/**
 * Frees the workspace when an attempt is over: the next attempt may begin on another machine, from the pushed commit. A
 * workspace with work that could not be kept stays, for the person of this machine.
 */
export async function leavePlace(tools: RunTools, id: string): Promise<void> {
  const delegation = await tools.store.delegation(id);
  if (delegation === undefined) return;
  const place = await tools.git.findPlace(delegation);
  if (place === undefined || !(await place.release(false))) return;
  if (delegation.workspace?.path !== place.path) return;
  const data = { path: place.path, tip: delegation.tip };
  await recordEvent(tools, { ...delegation, attempt: 0 }, { type: "workspace-removed", data });
}
