import type { ErrorCode } from "../../contract/error-code.ts";
import type { ProviderFailure } from "../adapter-types/agent-adapter.ts";
import { readRetryWait } from "./read-wait.ts";

export interface FailureFacts {
  readonly message: string;
  /** If the agent reports it separately from the message. */
  readonly status?: unknown;
  readonly retryAfterMs?: number | undefined;
  /** The agent's own word for it, such as `rate_limit_error`. */
  readonly type?: string;
}

const MAX_MESSAGE_LENGTH = 2000;
const STATUS_IN_TEXT = /(?:status|error|http|code)\W{1,4}([45]\d\d)(?!\d)|\(([45]\d\d)\)/i;

const TOO_MANY = 429;
/** Anthropic's status for "overloaded". */
const OVERLOADED = 529;
const UNAUTHORIZED = 401;

const LIMIT_WORDS = [
  "rate limit",
  "rate_limit",
  "ratelimit",
  "too many requests",
  "resource_exhausted",
  "quota",
  "usage limit",
  "hit your limit",
  "limit reached",
  "overloaded",
];

const LOGIN_WORDS = [
  "please run /login",
  "not logged in",
  "invalid api key",
  "invalid x-api-key",
  "incorrect api key",
  "api key not valid",
  "api key not found",
  "authentication_failed",
  "missing environment variable",
  "authentication_error",
  "oauth token has expired",
  "401 unauthorized",
  "sign in again",
  "log in again",
];

const CONTEXT_WORDS = [
  "prompt is too long",
  "context window",
  "context length",
  "context_length_exceeded",
  "contextoverflow",
  "input token count",
  "ran out of room",
];

/** A provider's refusal, from the facts that the agent passes on. */
export function readFailure(facts: FailureFacts): ProviderFailure {
  const message = facts.message.slice(0, MAX_MESSAGE_LENGTH);
  const status = readStatus(facts.status) ?? findStatusInText(message);
  const wait = facts.retryAfterMs ?? readRetryWait(message);
  return {
    status,
    message,
    isRateLimit: isRateLimit(status, `${facts.type ?? ""} ${message}`),
    ...(wait === undefined ? {} : { retryAfterMs: wait }),
  };
}

/** The error code of a run that ended with a provider's refusal. */
export function chooseFailureCode(failure: ProviderFailure): ErrorCode {
  if (failure.isRateLimit) return "RATE_LIMITED";
  if (failure.status === UNAUTHORIZED || containsAny(failure.message, LOGIN_WORDS))
    return "AGENT_NOT_LOGGED_IN";
  return "PROVIDER_FAILED";
}

/** Whether the text says that the session's context is full. */
export function isContextFull(text: string): boolean {
  return containsAny(text.slice(0, MAX_MESSAGE_LENGTH), CONTEXT_WORDS);
}

function readStatus(value: unknown): number | undefined {
  const isStatus = typeof value === "number" && Number.isInteger(value) && value >= 400 && value < 600;
  return isStatus ? value : undefined;
}

function findStatusInText(message: string): number | null {
  const match = STATUS_IN_TEXT.exec(message);
  const found = match?.[1] ?? match?.[2];
  return found === undefined ? null : Number(found);
}

/** The status comes from the provider, the words may come from a gateway: a contradicting status wins. */
function isRateLimit(status: number | null, words: string): boolean {
  if (status === TOO_MANY || status === OVERLOADED) return true;
  if (status === UNAUTHORIZED || status === 500 || status === 502 || status === 504) return false;
  return containsAny(words, LIMIT_WORDS);
}

function containsAny(text: string, words: readonly string[]): boolean {
  const small = text.toLowerCase();
  return words.some((word) => small.includes(word));
}
