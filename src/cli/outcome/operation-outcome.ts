import { DelegationError } from "../../base/delegation-error.ts";
import { exitCodeFor } from "../../contract/error-code.ts";
import { exitCode } from "../../contract/exit-code.ts";
import type { CommandContext, CommandOutcome } from "../input/command-module.ts";
import { renderTaskOperation, type ShownOperation } from "../render/task-operation.ts";

/** Every change of tasks has the same answer: the fields of R42, and for people each field's old and new value. */
export function operationOutcome(context: CommandContext, json: ShownOperation): CommandOutcome {
  const { error, status } = json;
  if (error === undefined)
    return {
      exitCode: status === "partial" ? exitCode.partial : exitCode.completed,
      json: { ...json },
      text: renderTaskOperation(json, context),
    };
  // People read an error on stderr; programs also need what was rolled back.
  if (!context.json) throw new DelegationError(error);
  return { exitCode: exitCodeFor(error.code), json: { ...json }, text: "" };
}
