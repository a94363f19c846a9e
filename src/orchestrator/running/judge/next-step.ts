import type { ErrorCode } from "../../../contract/error-code.ts";
import type { TurnKind } from "../../../contract/turn-kind.ts";
import type { Delegation, Settlement } from "../../../journal/store.ts";
import { explainRejectedReturn } from "../../../contract/explain-return.ts";
import { isRetryable } from "../../../contract/agent-return.ts";
import type { RunSettings } from "../../ports/run-tools.ts";
import type { JudgedAttempt } from "./validate-return.ts";
import { settleByCode } from "./agent-trouble.ts";
import { settleAtLimit } from "./limit-stop.ts";
import { rateLimitStep, type HeldStep } from "./rate-limit-step.ts";
import { salvage } from "./salvage.ts";
import { troubleOf } from "./troubles.ts";
import { retryDelayMs } from "../../../scheduler/retry-delay.ts";

/** How often one delegation may be taken up again, by reason. Whatever an agent does, this ends. */
export const mostTurns: Readonly<Record<Exclude<TurnKind, "begin" | "retry">, number>> = {
  repair: 2,
  conflict: 1,
  handover: 3,
  results: 50,
  answer: 10,
};

const FIRST_PAUSE_MS = 1000;
const LONGEST_PAUSE_MS = 60_000;

/** What follows an attempt. */
export type NextStep =
  | { readonly kind: "nothing" }
  | { readonly kind: "close"; readonly settlement: Settlement }
  | { readonly kind: "park"; readonly waitingFor: readonly string[]; readonly note: string }
  | { readonly kind: "again"; readonly turn: TurnKind; readonly reason: string; readonly afterMs: number }
  | HeldStep
  | {
      readonly kind: "returned";
      readonly status: string;
      readonly summary: string;
      readonly artifacts: readonly string[];
    };

export interface Situation {
  readonly attempt: JudgedAttempt;
  /** Its newest state. */
  readonly delegation: Delegation;
  /** Delegations and questions of this attempt that are still open. */
  readonly open: readonly string[];
  /** Requests of its last message that were not admitted, in words. */
  readonly refusals: readonly string[];
  readonly canRepair: boolean;
  readonly handover: string;
  readonly settings: RunSettings;
}

/** A stop, a limit, a question, an open worker, then the return, in this order. Exit codes are no verdict. */
export function nextStep(situation: Situation): NextStep {
  const { attempt, delegation, open, refusals, canRepair } = situation;
  const { verdict, exit, stopped, end } = attempt;
  if (stopped === "replaced") return { kind: "nothing" };
  if (stopped === "cancelled" || delegation.cancelRequested)
    return close(salvage(attempt, { outcome: "cancelled", what: "Stopped on request" }));
  if (stopped !== undefined) return close(settleAtLimit(attempt, stopped));
  if (exit.reason === "stalled" && mayReassign(situation)) return reassign(situation);
  if (exit.errorCode !== null) {
    const outcome = exit.reason === "timeout" || exit.reason === "stalled" ? "timed_out" : "partial";
    return close(
      salvage(attempt, { outcome, code: exit.errorCode, what: `Ended by the limit ${exit.errorCode}` }),
    );
  }
  if (end.exhausted === true && mayTurn(delegation, "handover"))
    return { kind: "again", turn: "handover", reason: situation.handover, afterMs: 0 };
  if (open.length > 0) return { kind: "park", waitingFor: open, note: refusals.join("\n") };
  const trouble = verdict.valid ? undefined : end.code;
  if (trouble !== undefined && troubleOf(trouble)?.endsAtOnce === true)
    return endInTrouble(situation, trouble);
  const told = refusals.join("\n");
  // Who asks for the same again although it was told why not is not told for ever.
  if (!verdict.valid && told !== "" && told !== delegation.turn.note && mayTurn(delegation, "results"))
    return { kind: "again", turn: "results", reason: told, afterMs: 0 };
  if (verdict.valid) return takeReturn(situation);
  if (end.exhausted === true)
    return close(
      salvage(attempt, {
        outcome: "partial",
        code: "CONTEXT_BUDGET_EXCEEDED",
        what: `Ran out of context again after ${mostTurns.handover} hand-overs`,
      }),
    );
  if (canRepair && mayTurn(delegation, "repair"))
    return { kind: "again", turn: "repair", reason: explain(attempt), afterMs: 0 };
  if (trouble !== undefined) return endInTrouble(situation, trouble);
  const codes = verdict.codes.join(", ");
  const outcome = attempt.work.filesChanged.length === 0 ? "failed" : "partial";
  return close(
    salvage(attempt, {
      outcome,
      code: verdict.codes[0] ?? "NOT_JSON",
      what: `No usable return (${codes}); the program ${end.reason}`,
    }),
  );
}

/** A silent worker's place is taken by a fresh one, as often as the project allows; then its manager hears of it (R188). */
function mayReassign({ delegation, settings }: Situation): boolean {
  const used = delegation.turn.counts.handover ?? 0;
  return used < settings.reassignSilent && mayTurn(delegation, "handover");
}

function reassign({ handover }: Situation): NextStep {
  const reason = `It fell silent and was stopped; you take its place. ${handover}`;
  return { kind: "again", turn: "handover", reason, afterMs: 0 };
}

/** The agent could not work: trying again at once changes nothing, a pause may where the project allows one. */
function endInTrouble({ attempt, delegation, settings }: Situation, code: ErrorCode): NextStep {
  const held = rateLimitStep(attempt, delegation);
  if (held !== undefined) return held;
  const mayHelp = troubleOf(code)?.mayHelpLater === true;
  const again = mayHelp ? retryStep(delegation, settings, attempt.end.reason) : undefined;
  return again ?? close(settleByCode(attempt, code));
}

function takeReturn({ attempt, delegation, settings }: Situation): NextStep {
  const { verdict } = attempt;
  if (!verdict.valid) return { kind: "nothing" };
  const { status, summary, artifacts, errors } = verdict.value;
  const again =
    status === "failed" && isRetryable(verdict.value)
      ? retryStep(delegation, settings, errorTexts(errors))
      : undefined;
  return again ?? { kind: "returned", status, summary, artifacts: artifacts.map(({ path }) => path) };
}

/** One more attempt after a pause that grows, where the project allows it. */
export function retryStep(
  delegation: Delegation,
  settings: RunSettings,
  reason: string,
): NextStep | undefined {
  const { enabled, maxAttempts, backoffMultiplier } = settings.retry;
  const used = delegation.turn.counts.retry ?? 0;
  if (!enabled || used + 1 >= maxAttempts) return undefined;
  const afterMs = retryDelayMs({
    attempt: used + 1,
    multiplier: backoffMultiplier,
    baseMs: FIRST_PAUSE_MS,
    maxMs: LONGEST_PAUSE_MS,
    random: Math.random,
  });
  return { kind: "again", turn: "retry", reason, afterMs };
}

export function mayTurn(delegation: Delegation, kind: keyof typeof mostTurns): boolean {
  return (delegation.turn.counts[kind] ?? 0) < mostTurns[kind];
}

function explain({ delegation, verdict }: JudgedAttempt): string {
  if (verdict.valid) return "";
  const agent = delegation.agent ?? delegation.id;
  return explainRejectedReturn({ agent, session: delegation.sessionId, problems: verdict.problems });
}

function errorTexts(
  errors: readonly { readonly message: string; readonly recommendation: string }[],
): string {
  return errors.map(({ message, recommendation }) => `- ${message} (${recommendation})`).join("\n");
}

function close(settlement: Settlement): NextStep {
  return { kind: "close", settlement };
}
