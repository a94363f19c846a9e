import { readFieldAt } from "../../base/json.ts";
import type { ErrorCode } from "../../contract/error-code.ts";
import { chooseFailureCode, readFailure } from "../stream-json/read-failure.ts";
import type { ProviderFailure } from "../adapter-types/agent-adapter.ts";
import type { RpcAnswer, RpcError } from "./rpc-connection.ts";

/** How a conversation ended. `reason` is the agent's stop reason, or our code if it gave none. */
export interface Ending {
  readonly ok: boolean;
  readonly reason: string;
  readonly message: string;
  readonly failure?: ProviderFailure;
}

/** Thrown by a step that cannot continue, and caught once by the conversation. */
export class ConversationEnded extends Error {
  readonly ending: Ending;

  constructor(ending: Ending) {
    super(ending.message);
    this.name = "ConversationEnded";
    this.ending = ending;
  }
}

const AUTHENTICATION_REQUIRED = -32000;
const STATUS_FIELDS: readonly (readonly string[])[] = [
  ["status"],
  ["statusCode"],
  ["status_code"],
  ["code"],
  ["error", "status"],
  ["error", "code"],
];

export function failedEnding(code: ErrorCode, message: string): Ending {
  return { ok: false, reason: code, message };
}

/** The end of a conversation after an answer that is not a result. */
export function endingOfAnswer(answer: Exclude<RpcAnswer, { kind: "result" }>, method: string): Ending {
  switch (answer.kind) {
    case "late":
      return failedEnding("AGENT_STREAM_BROKEN", `No answer to ${method} within ${answer.afterMs / 1000} s.`);
    case "closed":
      return failedEnding("AGENT_STREAM_BROKEN", `The agent ended before it answered ${method}.`);
    case "error":
      return endingOfError(answer.error);
  }
}

export function isLoginError({ code }: RpcError): boolean {
  return code === AUTHENTICATION_REQUIRED;
}

/** Gemini uses the provider's HTTP status as the error code; others put it into the data or the message. */
function endingOfError(error: RpcError): Ending {
  const message = readErrorText(error);
  if (isLoginError(error)) return failedEnding("AGENT_NOT_LOGGED_IN", message);
  const status =
    STATUS_FIELDS.map((path) => readFieldAt(error.data, ...path)).find(isHttpStatus) ?? error.code;
  const failure = readFailure({ message, status });
  return { ...failedEnding(chooseFailureCode(failure), message), failure };
}

function isHttpStatus(value: unknown): boolean {
  return typeof value === "number" && value >= 400 && value < 600;
}

const MAX_MESSAGE_LENGTH = 2000;

function readErrorText({ message, data }: RpcError): string {
  const details = [readFieldAt(data, "details"), readFieldAt(data, "message"), data].find(
    (value): value is string => typeof value === "string" && value !== "" && value !== message,
  );
  return (details === undefined ? message : `${message}: ${details}`).slice(0, MAX_MESSAGE_LENGTH);
}
