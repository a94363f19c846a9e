import { DelegationError } from "../../base/delegation-error.ts";
import type { Approval } from "../../journal/store.ts";

export function replaced(id: string): DelegationError {
  return new DelegationError({
    code: "STALE_ATTEMPT",
    message: `This attempt of ${id} was replaced; it can no longer delegate.`,
    recommendation: "End your turn.",
  });
}

export function wrongAnswer({ id, kind, question }: Approval): DelegationError {
  const isQuestion = kind === "clarification";
  return new DelegationError({
    code: "USAGE",
    message: `${id} asks: ${question}`,
    recommendation: isQuestion
      ? `Answer it: ambit reply ${id} "…"`
      : `ambit approve ${id}, or ambit reject ${id}.`,
  });
}

export function noApproval(id: string): DelegationError {
  return new DelegationError({
    code: "APPROVAL_NOT_FOUND",
    message: `Nothing with the id ${id} waits for an answer.`,
    recommendation: "See what waits for you with ambit inbox.",
  });
}

export function notFound(id: string): DelegationError {
  return new DelegationError({
    code: "DELEGATION_NOT_FOUND",
    message: `There is no delegation ${id} in this project.`,
    recommendation: "See what there is with ambit status.",
  });
}
