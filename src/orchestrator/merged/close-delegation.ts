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
  const { id, state } = delegation;
  // While it is queued, its newest attempt is over and has no word in it.
  const attempt = state === "queued" ? 0 : delegation.attempt;
  const settled = await tools.store.settle(id, attempt, settlement);
  if (settled === "open-workers") throw new TypeError(`${id} still has open workers`);
  if (settled === "unproven")
    throw new TypeError(`${id} cannot be ${settlement.outcome} from ${delegation.state}`);
  dropAgentHome(tools.stateDirectory, delegation);
  tools.baseChecks?.stop(id);
  tools.contexts.forget(id);
  if (delegation.parent === null) tools.origins.forget(id);
}

interface BrokenFacts {
  /** The number of files on its branch. */
  readonly files: number;
  /** The folder whose files could not be imported. */
  readonly left: string | undefined;
  readonly isCancelled: boolean;
}

/**
 * The settlement of a delegation that failed because of an error in the runtime or its environment. A delegation that was
 * to be stopped counts as stopped.
 */
export function settleBroken(error: unknown, { files, left, isCancelled }: BrokenFacts): Settlement {
  const told = explainFileTrouble(error, ".git/ambit") ?? error;
  const code = told instanceof DelegationError ? told.code : "INTERNAL";
  const outcome = isCancelled ? "cancelled" : files === 0 ? "failed" : "partial";
  const summary = joinSentences(readErrorMessage(told).slice(0, 1000), describeKept(files, left));
  return { outcome, code, summary };
}

function describeKept(files: number, left: string | undefined): string {
  const kept = files === 0 ? "" : `${countFiles(files)} kept on its branch.`;
  if (left !== undefined)
    return joinSentences(kept, `Its newest files could not be saved; they are still in ${left}.`);
  return kept === "" ? "Nothing was changed." : kept;
}
