import { DelegationError } from "../../../base/delegation-error.ts";
import type { CommandContext } from "../../command-module.ts";

/**
 * Refuses inside a worker, before anything is looked at: a worker never approves, merges or starts anything in a
 * person's name. `what` reads on after "A worker".
 */
export function onlyPeople(context: Pick<CommandContext, "environment">, what: string): void {
  if (context.environment["AMBIT_TOKEN"] === undefined) return;
  throw new DelegationError({
    code: "NOT_A_PERSON",
    message: `A worker ${what}: AMBIT_TOKEN says that this is one.`,
    recommendation: "Ask with ambit ask, hand work out with ambit delegate, or say it in your return.",
  });
}
