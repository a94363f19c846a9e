import { renderDuration } from "../../../base/duration-text.ts";
import { isRetryable } from "../../../contract/agent-return.ts";
import type { ErrorCode } from "../../../contract/error-code.ts";
import { explainRejectedReturn } from "../../../contract/explain-return.ts";
import type { EventData } from "../../../contract/journal-event.ts";
import type { TurnKind } from "../../../contract/turn-kind.ts";
import type { HandedTo } from "../../../contract/work-spec.ts";
import type { Delegation, Settlement } from "../../../journal/store.ts";
import {
  MAX_INTERRUPTIONS,
  maxTurns,
  mayTakeTurn,
  planRetry,
  type AgainStep,
} from "../../delegation/turn-limits.ts";
import type { RunSettings } from "../../ports/run-tools.ts";
import { closeWith } from "../../ports/step.ts";
import { keepReturn } from "./keep-return.ts";
import { lacksOnlyReturn, mayProveWithoutReturn, summarizeWithoutReturn } from "./missing-return.ts";
import { salvageAtLimit, salvageByCode, salvageWork } from "./salvage.ts";
import { findTrouble } from "./troubles.ts";
import type { AttemptFacts } from "./validate-return.ts";

/** The next step after an attempt. */
export type NextStep =
  | { readonly kind: "nothing" }
  | { readonly kind: "close"; readonly settlement: Settlement }
  | { readonly kind: "park"; readonly waitingFor: readonly string[]; readonly note: string }
  | AgainStep
  | HeldStep
  /** Its process was interrupted; the same turn is repeated. */
  | { readonly kind: "lost"; readonly reason: string }
  | { readonly kind: "returned"; readonly kept: EventData<"delegation-returned"> };

/** Its provider's account was full; the same turn is repeated once the account may have room. */
export interface HeldStep {
  readonly kind: "held";
  readonly provider: string;
  readonly reason: string;
  readonly afterMs: number;
}

export interface Situation {
  readonly attempt: AttemptFacts;
  /** The newest state of the delegation. */
  readonly delegation: Delegation;
  /** Delegations and questions of this attempt that are still open. */
  readonly open: readonly string[];
  /** Requests of its last message that were not admitted, in words. */
  readonly refusals: readonly string[];
  readonly canRepair: boolean;
  readonly handover: string;
  /** The agent that takes over, if it is another one. */
  readonly fallback?: HandedTo | undefined;
  readonly settings: Pick<RunSettings, "reassignLate" | "reassignSilent" | "retry">;
}

/** A stop comes first, then a limit, a question, an open worker, and last the return. Exit codes decide nothing. */
export function chooseNextStep(situation: Situation): NextStep {
  const { attempt, delegation, open, refusals, canRepair } = situation;
  const { verdict, exit, stopped, end } = attempt;
  if (stopped === "replaced" || stopped === "fenced") return { kind: "nothing" };
  if (stopped === "cancelled" || delegation.cancelRequested)
    return closeWith(salvageWork(attempt, { outcome: "cancelled", what: "Stopped on request" }));
  if (stopped !== undefined) return closeWith(salvageAtLimit(attempt, stopped));
  if (mayReassign(situation)) return reassignWorker(situation);
  if (exit.errorCode !== null) return endAtLimit(attempt, exit.errorCode);
  if (end.exhausted === true && mayTakeTurn(delegation, "handover"))
    return takeTurnAgain("handover", situation.handover);
  if (open.length > 0) return { kind: "park", waitingFor: open, note: refusals.join("\n") };
  const trouble = verdict.valid ? undefined : end.code;
  if (trouble !== undefined && findTrouble(trouble)?.endsAtOnce === true)
    return endInTrouble(situation, trouble);
  const told = refusals.join("\n");
  // An agent that repeats a refused request after it got the reason does not get it again.
  if (!verdict.valid && told !== "" && told !== delegation.turn.note && mayTakeTurn(delegation, "results"))
    return takeTurnAgain("results", told);
  if (verdict.valid) return takeReturn(situation);
  if (end.exhausted === true) return endWithoutContext(attempt);
  // If it were asked for its return, it would only continue its loop.
  if (attempt.endedInLoop) return closeWith(salvageAtLimit(attempt, "loop"));
  if (canRepair && wasInterrupted(attempt)) return continueInterrupted(situation);
  if (canRepair && mayTakeTurn(delegation, "repair"))
    return takeTurnAgain("repair", explainRejection(attempt));
  if (trouble !== undefined) return endInTrouble(situation, trouble);
  return endWithoutReturn(attempt);
}

/**
 * Whether it was killed from outside, or broke off without a last message. There is no return to correct: its work
 * continues.
 */
function wasInterrupted({ exit, end }: AttemptFacts): boolean {
  if (end.code !== undefined) return end.code === "AGENT_STREAM_BROKEN";
  return exit.signal !== null || isSignalCode(exit.code);
}

/** Whether a shell or a launcher reports with this code that a signal ended its program. */
function isSignalCode(code: number | null): boolean {
  return code !== null && code > 128 && code < 160;
}

function continueInterrupted(situation: Situation): NextStep {
  const { attempt, delegation } = situation;
  const { code, reason } = attempt.end;
  if (delegation.turn.lost < MAX_INTERRUPTIONS) return { kind: "lost", reason: `its program ${reason}` };
  return code === undefined ? endWithoutReturn(attempt) : endInTrouble(situation, code);
}

function takeTurnAgain(turn: TurnKind, reason: string): AgainStep {
  return { kind: "again", turn, reason, afterMs: 0 };
}

function endAtLimit(attempt: AttemptFacts, code: string): NextStep {
  const { reason } = attempt.exit;
  const outcome = reason === "timeout" || reason === "stalled" ? "timed_out" : "partial";
  const what = describeLimit(code, attempt.delegation);
  return closeWith(salvageWork(attempt, { outcome, code, what }));
}

const reachedLimits: Readonly<Record<string, string>> = {
  STALLED: "Stopped because it wrote nothing for delegation.idle.stopSeconds",
  OUTPUT_LIMIT_EXCEEDED: "Stopped because it wrote more than delegation.output.maxBytes",
  RESOURCE_LIMIT_EXCEEDED: "Stopped at a limit of delegation.resources",
  DISK_LIMIT_EXCEEDED: "Stopped because it took more disk space than delegation.resources.diskBytes",
};

function describeLimit(code: string, { timeoutSeconds }: Delegation): string {
  if (code === "TIMEOUT") return `Stopped at its time limit of ${renderDuration(timeoutSeconds * 1000)}`;
  return reachedLimits[code] ?? `Stopped at the limit ${code}`;
}

function endWithoutContext(attempt: AttemptFacts): NextStep {
  const what = `Ran out of context again after ${maxTurns.handover} hand-overs`;
  return closeWith(salvageWork(attempt, { outcome: "partial", code: "CONTEXT_BUDGET_EXCEEDED", what }));
}

/** Work without a return counts if its required criteria pass; they are run like those of any returned work. */
function endWithoutReturn(attempt: AttemptFacts): NextStep {
  if (mayProveWithoutReturn(attempt))
    return {
      kind: "returned",
      kept: { status: "completed", summary: summarizeWithoutReturn(attempt), artifacts: [] },
    };
  const { verdict, end, work } = attempt;
  const codes = verdict.valid ? [] : verdict.codes;
  const outcome = work.filesChanged.length === 0 ? "failed" : "partial";
  const what = `No usable return (${codes.join(", ")}); the program ${end.reason}`;
  const next = lacksOnlyReturn(attempt) ? NO_PROOF : "";
  return closeWith(salvageWork(attempt, { outcome, code: codes[0] ?? "NOT_JSON", what, next }));
}

const NO_PROOF =
  "No check could tell whether it is done: name one with --check, or write a return (ambit help contract).";

/** A fresh worker replaces a silent or late one as often as the project allows; then its manager is informed (R188). */
export function mayReassign({
  attempt,
  delegation,
  settings,
}: Pick<Situation, "attempt" | "delegation" | "settings">): boolean {
  const used = delegation.turn.counts.handover ?? 0;
  const { reason } = attempt.exit;
  const allowed =
    reason === "stalled" ? settings.reassignSilent : reason === "timeout" ? settings.reassignLate : 0;
  return attempt.stopped === undefined && used < allowed && mayTakeTurn(delegation, "handover");
}

function reassignWorker({ attempt, handover, fallback }: Situation): NextStep {
  const why = attempt.exit.reason === "stalled" ? "It fell silent and was stopped" : "Its time ran out";
  const step = takeTurnAgain("handover", `${why}; you take its place. ${handover}`);
  return fallback === undefined ? step : { ...step, handedTo: fallback };
}

/** The agent could not work. Trying again at once changes nothing; a pause may help, if the project allows one. */
function endInTrouble({ attempt, delegation, settings }: Situation, code: ErrorCode): NextStep {
  const held = holdForProvider(attempt, delegation);
  if (held !== undefined) return held;
  const mayHelp = findTrouble(code)?.mayHelpLater === true;
  const again = mayHelp ? planRetry(delegation, settings, attempt.end.reason) : undefined;
  return again ?? closeWith(salvageByCode(attempt, code));
}

/** Pauses grow to ten minutes, or last as long as the provider asks, so this many take hours. */
const MAX_HELD = 20;

/**
 * Undefined if the provider was not full, or was full too often. It uses up none of the retries that a project allows.
 */
export function holdForProvider(
  { hold }: Pick<AttemptFacts, "hold">,
  { turn }: Pick<Delegation, "turn">,
): HeldStep | undefined {
  if (hold === undefined || turn.held >= MAX_HELD) return undefined;
  const { provider, afterMs, untilWallMs } = hold;
  const until = new Date(untilWallMs).toISOString();
  return { kind: "held", provider, afterMs, reason: `waits for provider ${provider} until ${until}` };
}

function takeReturn({ attempt, delegation, settings }: Situation): NextStep {
  const { verdict } = attempt;
  if (!verdict.valid) return { kind: "nothing" };
  const { status, errors } = verdict.value;
  const again =
    status === "failed" && isRetryable(verdict.value)
      ? planRetry(delegation, settings, describeErrors(errors))
      : undefined;
  return again ?? { kind: "returned", kept: keepReturn(verdict.value) };
}

function explainRejection({ delegation, verdict }: AttemptFacts): string {
  if (verdict.valid) return "";
  const agent = delegation.agent ?? delegation.id;
  return explainRejectedReturn({ agent, session: delegation.sessionId, problems: verdict.problems });
}

function describeErrors(
  errors: readonly { readonly message: string; readonly recommendation: string }[],
): string {
  return errors.map(({ message, recommendation }) => `- ${message} (${recommendation})`).join("\n");
}
