import { countFiles } from "../../base/count-things.ts";
import { joinSentences } from "../../base/join-sentences.ts";
import { DelegationError, readErrorMessage } from "../../base/delegation-error.ts";
import { explainFileTrouble } from "../../base/file-trouble.ts";
import type { Delegation, Settlement } from "../../journal/store.ts";
import { closeWith, type Step } from "../ports/step.ts";
import type { RunTools } from "../ports/run-tools.ts";
import { dropAgentHome } from "../running/invoke/agent-home.ts";

/** The branch has the work; only the terminal event is missing. */
export function settleMerged({ summary, filesChanged }: Delegation): Step {
  return closeWith({ outcome: "completed", summary, filesChanged });
}

/** Writes exactly one terminal event. Its workspace is freed afterwards; after a crash in between, `recover` frees it. */
export async function closeDelegation(
  tools: RunTools,
  delegation: Delegation,
  settlement: Settlement,
): Promise<void> {
  const { id, attempt } = delegation;
  const settled = await tools.store.settle(id, attempt, settlement);
  if (settled === "open-workers") throw new TypeError(`${id} still has open workers`);
  if (settled === "unproven")
    throw new TypeError(`${id} cannot be ${settlement.outcome} from ${delegation.state}`);
  dropAgentHome(tools.stateDirectory, delegation);
  tools.baseChecks?.stop(id);
  tools.contexts.forget(id);
  if (delegation.parent === null) tools.origins.forget(id);
}

/**
 * The settlement of a delegation that failed because of an error in the runtime or its environment. A delegation that was
 * to be stopped counts as stopped.
 */
export function settleBroken(error: unknown, filesKept: number, isCancelled = false): Settlement {
  const told = explainFileTrouble(error, ".git/ambit") ?? error;
  const code = told instanceof DelegationError ? told.code : "INTERNAL";
  const outcome = isCancelled ? "cancelled" : filesKept === 0 ? "failed" : "partial";
  const kept = filesKept === 0 ? "Nothing was changed." : `${countFiles(filesKept)} kept on its branch.`;
  const summary = joinSentences(readErrorMessage(told).slice(0, 1000), kept);
  return { outcome, code, summary };
}
