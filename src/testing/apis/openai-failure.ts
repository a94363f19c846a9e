import type { Failure } from "./wire-api.ts";

const KINDS: ReadonlyMap<number, readonly [type: string, code: string]> = new Map([
  [401, ["invalid_request_error", "invalid_api_key"]],
  [402, ["insufficient_quota", "insufficient_quota"]],
  [404, ["invalid_request_error", "model_not_found"]],
  [429, ["rate_limit_error", "rate_limit_exceeded"]],
]);

/** The error format of both OpenAI APIs. */
export function openAiFailure({ status, message }: Failure): unknown {
  const [type, code] = KINDS.get(status) ?? [status < 500 ? "invalid_request_error" : "server_error", null];
  return { error: { message, type, param: null, code } };
}
