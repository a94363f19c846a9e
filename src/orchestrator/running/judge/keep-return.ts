import { MAX_KEPT_ERRORS, type AgentReturn } from "../../../contract/agent-return.ts";
import type { EventData } from "../../../contract/journal-event.ts";

const MAX_TEXT = 4000;
const MAX_NAME = 200;

/** The part of a valid return that the journal keeps. Its raw file has the rest. */
export function keepReturn(value: AgentReturn): EventData<"delegation-returned"> {
  const { status, summary, artifacts, errors, review, next_steps: nextSteps = "" } = value;
  return {
    status,
    summary,
    artifacts: artifacts.map(({ path }) => path),
    ...(errors.length === 0 ? {} : { errors: errors.slice(0, MAX_KEPT_ERRORS).map(keepError) }),
    ...(nextSteps.trim() === "" ? {} : { nextSteps: nextSteps.trim().slice(0, MAX_TEXT) }),
    ...(review === undefined ? {} : { review: [...review] }),
  };
}

function keepError(error: AgentReturn["errors"][number]) {
  const { type, code, message, recoverable, recommendation } = error;
  return {
    type: type.slice(0, MAX_NAME),
    code: code.slice(0, MAX_NAME),
    message: message.slice(0, MAX_TEXT),
    recoverable,
    recommendation: recommendation.slice(0, MAX_TEXT),
  };
}
