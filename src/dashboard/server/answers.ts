import { DelegationError, readErrorMessage } from "../../base/delegation-error.ts";
import { explainUnexpectedFileTrouble } from "../../base/file-trouble.ts";
import type { Failure } from "../../app/view-types.ts";
import { sanitizeDocument } from "./sanitize-text.ts";

/** Every document leaves through here, so that every text in it is sanitized. */
export function answerJson(document: unknown, status = 200): Response {
  return new Response(JSON.stringify(sanitizeDocument(document)), {
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

/** A thrown error as an answer; an unexpected one only carries its message. */
export function answerError(thrown: unknown): Response {
  const error = explainUnexpectedFileTrouble(thrown) ?? thrown;
  if (error instanceof DelegationError) return answerProblem(chooseStatus(error.code), error);
  return answerProblem(500, {
    code: "INTERNAL",
    message: readErrorMessage(error),
    recommendation: "See the terminal in which ambit dashboard runs.",
  });
}

function chooseStatus(code: string): number {
  if (code.endsWith("_NOT_FOUND")) return 404;
  if (code === "USAGE") return 400;
  if (code === "BODY_TOO_LARGE") return 413;
  if (code === "BODY_TYPE_REFUSED") return 415;
  if (code.startsWith("SUPERVISOR_") || code.startsWith("STORE_")) return 503;
  return 409;
}
