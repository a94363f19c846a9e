import { DelegationError, messageOf } from "../../base/delegation-error.ts";
import type { Failure } from "../wire.ts";
import { harmless } from "./harmless.ts";

/** Every document leaves through here, so that no text in it can do harm. */
export function answerJson(document: unknown, status = 200): Response {
  return new Response(JSON.stringify(harmless(document)), {
    status,
    headers: { "content-type": "application/json; charset=utf-8" },
  });
}

export function answerProblem(
  status: number,
  problem: Failure["error"],
  headers: Readonly<Record<string, string>> = {},
): Response {
  const { code, message, recommendation } = problem;
  const answer = answerJson({ error: { code, message, recommendation } } satisfies Failure, status);
  for (const [name, value] of Object.entries(headers)) answer.headers.set(name, value);
  return answer;
}

/** What was thrown, as an answer; what is not ours to explain says no more than that. */
export function answerError(error: unknown): Response {
  if (error instanceof DelegationError) return answerProblem(statusOf(error.code), error);
  return answerProblem(500, {
    code: "INTERNAL",
    message: messageOf(error),
    recommendation: "See the terminal in which ambit dashboard runs.",
  });
}

function statusOf(code: string): number {
  if (code.endsWith("_NOT_FOUND")) return 404;
  if (code === "USAGE") return 400;
  if (code === "BODY_TOO_LARGE") return 413;
  if (code === "BODY_TYPE_REFUSED") return 415;
  if (code.startsWith("SUPERVISOR_") || code.startsWith("STORE_")) return 503;
  return 409;
}

export function notFound(what: string): DelegationError {
  return new DelegationError({
    code: "DELEGATION_NOT_FOUND",
    message: `There is no ${what} in this project.`,
    recommendation: "Go back to the list of runs; it may have been removed.",
  });
}
