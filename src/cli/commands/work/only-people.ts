import { appErrors } from "../../../errors/app.ts";
import type { CommandContext } from "../../command-module.ts";

/** Refuses inside a worker, before anything is read. `what` continues the sentence "A worker …". */
export function onlyPeople(context: Pick<CommandContext, "environment">, what: string): void {
  if (context.environment["AMBIT_TOKEN"] !== undefined) throw appErrors.notAPerson(what);
}
