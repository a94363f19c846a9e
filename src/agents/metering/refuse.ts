import type { ServerResponse } from "node:http";

export interface Refusal {
  readonly status: 402 | 404 | 429 | 502 | 504;
  readonly message: string;
  readonly retryAfterSeconds?: number;
}

/** Answers instead of the provider, in the provider's own error format, so that its clients can report it. */
export function refuseRequest(response: ServerResponse, path: string, refusal: Refusal): void {
  const { status, retryAfterSeconds } = refusal;
  response.writeHead(status, {
    "content-type": "application/json",
    // The SDKs of Anthropic and OpenAI obey it; a spent budget does not come back with a retry.
    ...(status === 402 ? { "x-should-retry": "false" } : {}),
    ...(retryAfterSeconds === undefined ? {} : { "retry-after": String(retryAfterSeconds) }),
  });
  response.end(JSON.stringify(buildRefusalBody(path, refusal)));
}

function buildRefusalBody(path: string, refusal: Refusal): unknown {
  const { status, message } = refusal;
  if (path.includes("/messages")) return { type: "error", error: { type: anthropicTypes[status], message } };
  if (path.includes("/models/")) return { error: { code: status, message, status: geminiNames[status] } };
  return { error: { message, type: openAiTypes[status], param: null, code: openAiTypes[status] } };
}

const anthropicTypes = {
  402: "billing_error",
  404: "not_found_error",
  429: "rate_limit_error",
  502: "api_error",
  504: "timeout_error",
} as const;

const geminiNames = {
  402: "FAILED_PRECONDITION",
  404: "NOT_FOUND",
  429: "RESOURCE_EXHAUSTED",
  502: "UNAVAILABLE",
  504: "DEADLINE_EXCEEDED",
} as const;

const openAiTypes = {
  402: "insufficient_quota",
  404: "not_found",
  429: "rate_limit_exceeded",
  502: "server_error",
  504: "server_error",
} as const;
