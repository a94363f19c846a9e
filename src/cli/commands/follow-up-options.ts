import type { Invocation } from "../input/command-module.ts";
import { optionalWholeNumber } from "../input/option-values.ts";
import { readBudget } from "./story-options.ts";

/** The id and options that `resume` and `retry` have in common. */
export function readFollowUp(invocation: Invocation) {
  const changes = {
    note: invocation.option("note"),
    agent: invocation.option("agent"),
    budgetUsd: readBudget(invocation),
    timeoutSeconds: optionalWholeNumber(invocation, "timeout"),
  };
  return { id: invocation.argument("id"), changes, detach: invocation.flag("detach") };
}
