import { isSessionId } from "../../../contract/identity.ts";
import { parseMarker, parseRange } from "../../../tasks/task.ts";
import type { CommandContext, CommandOutcome, Invocation } from "../../command-module.ts";
import { excerpt } from "../../../base/visible-text.ts";
import { verdictOutcome } from "../../verdict-outcome.ts";

export function checkSession(context: CommandContext, invocation: Invocation): CommandOutcome {
  const id = invocation.argument("id");
  const valid = isSessionId(id);
  const failure = {
    code: "INVALID_SESSION_ID",
    message: `"${excerpt(id)}" is not a session id`,
    suggestion: "Session ids look like sess_1766779200_a1b2c3: seconds or a date, then 6 of 0-9a-z.",
  };
  return verdictOutcome(
    { fields: { valid }, passed: `${id} is well-formed`, failures: valid ? [] : [failure] },
    context,
  );
}

export function checkRange(context: CommandContext, invocation: Invocation): CommandOutcome {
  const range = parseRange(invocation.argument("text"));
  if ("error" in range) {
    const failures = [{ code: range.error, message: range.message }];
    return verdictOutcome(
      { fields: { numbers: [], rest: "", error: range.error }, passed: "", failures },
      context,
    );
  }
  const named = "all" in range ? "all" : range.numbers.join(", ");
  const passed = range.rest === "" ? `tasks ${named}` : `tasks ${named}; rest: ${range.rest}`;
  return verdictOutcome({ fields: { ...range, error: null }, passed, failures: [] }, context);
}

export function checkMarker(context: CommandContext, invocation: Invocation): CommandOutcome {
  const text = invocation.argument("text");
  const status = parseMarker(text);
  const failure = {
    code: "UNKNOWN_MARKER",
    message: `"${excerpt(text)}" carries no known status marker`,
    suggestion: "Markers look like [NOT STARTED], [PLANNED] or [COMPLETED].",
  };
  return verdictOutcome(
    {
      fields: { status: status ?? null },
      passed: status ?? "",
      failures: status === undefined ? [failure] : [],
    },
    context,
  );
}
