import type { Delegation } from "../../journal/store.ts";
import type { RunTools } from "../ports/run-tools.ts";
import { moved, type Step } from "../ports/step.ts";
import { mergeVerified } from "../verified/merge-work.ts";
import { proveWork } from "./prove-work.ts";

/** Proves returned work on the merged tree, and merges it before another delegation can move the branch. */
export async function settleReturned(
  tools: RunTools,
  delegation: Delegation,
  signal: AbortSignal,
): Promise<Step> {
  const proof = await proveWork(tools, delegation, signal);
  if (proof.kind === "close" || proof.kind === "waiting") return proof;
  if (proof.kind === "again") return moved;
  return mergeVerified(tools, (await tools.store.delegation(delegation.id)) ?? delegation);
}
