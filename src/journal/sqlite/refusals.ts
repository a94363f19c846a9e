import { groupDigits } from "../../base/group-digits.ts";
import type { Failed } from "../../guards/verdict.ts";
import type { LendResult } from "../../ledger/budget-tree.ts";
import type { Batch, Delegation, NewDelegation } from "../model/store.ts";
import type { Database } from "./database.ts";

/**
 * Only a running manager, in its current attempt, may delegate; one of its calls may be waiting meanwhile. The runtime asks
 * for a review once the work has returned. A reviewer delegates nothing.
 */
export function managerRefusal(manager: Delegation | undefined, batch: Batch): Failed | undefined {
  if (manager === undefined) return undefined;
  if (manager.attempt !== batch.parentAttempt) {
    return {
      ok: false,
      code: "STALE_ATTEMPT",
      message: `Attempt ${batch.parentAttempt} of ${manager.id} was replaced by attempt ${manager.attempt}`,
      details: [],
      suggestion: "Stop: another process has taken over this work.",
    };
  }
  if (manager.work?.review !== undefined) return reviewerRefusal(manager.id);
  const states = batch.isReview === true ? ["returned"] : ["running", "parked"];
  if (states.includes(manager.state) && !manager.cancelRequested) return undefined;
  return {
    ok: false,
    code: "PARENT_NOT_RUNNING",
    message: `${manager.id} is ${manager.cancelRequested ? "being cancelled" : manager.state} and cannot delegate`,
    details: [],
    suggestion: "Delegate only while the manager itself is running.",
  };
}

function reviewerRefusal(id: string): Failed {
  return {
    ok: false,
    code: "DELEGATION_DISABLED",
    message: `${id} reviews the work of another agent and cannot delegate`,
    details: [],
    suggestion: "Judge the work yourself and hand in your verdicts.",
  };
}

/** Money has its own guard; a refusal of tokens uses the same words. */
export function tokenRefusal(slice: LendResult, request: NewDelegation): Failed[] {
  if (slice.ok) return [];
  return [
    {
      ok: false,
      code: "COST_LIMIT_EXCEEDED",
      message: `Token budget exceeded: ${groupDigits(request.budgetTokens ?? 0)} asked, ${groupDigits(slice.available)} left.`,
      details: [],
      suggestion: "Ask for a smaller budget, or finish running work first.",
    },
  ];
}

/** An item has one delegation and one worker (R175); an item that a worker has returned may be delegated again. */
export function todoRefusal(database: Database, manager: Delegation, { todo }: NewDelegation): Failed[] {
  if (todo === undefined) return [];
  const worker = database.text(
    "SELECT id AS value FROM delegations WHERE parent = ? AND todo = ? AND state <> 'closed' LIMIT 1",
    [manager.id, todo],
  );
  if (worker === "") return [];
  return [
    {
      ok: false,
      code: "TASK_ALREADY_DELEGATED",
      message: `Task ${todo} is already with ${worker}`,
      details: [],
      suggestion: "Wait for it, or recall the task first by setting it to pending.",
    },
  ];
}
