import { resolve } from "node:path";
import { randomBase36 } from "../../../base/ids.ts";
import { microUsd } from "../../../ledger/money.ts";
import type { CommandContext, Invocation } from "../../command-module.ts";
import { optionalWholeNumber, usage } from "../../option-values.ts";

/** What the runtime is asked for; checked there by one schema. */
export type StoryRequestFields = Readonly<Record<string, unknown>> & { readonly id: string };

/** The flags that a story has in common, whether it comes from a line of text or from a file. */
export function readStoryFlags(
  context: CommandContext,
  invocation: Invocation,
): Readonly<Record<string, unknown>> {
  const script = invocation.option("script");
  const command = invocation.argumentList("command");
  const budget = invocation.option("budget");
  return present({
    ...who(context, { script, command, agent: invocation.option("agent") }),
    model: invocation.option("model"),
    isolation: invocation.option("isolation"),
    network: invocation.flag("network") ? true : undefined,
    readable: script === undefined ? undefined : [resolve(context.directory, script)],
    timeoutSeconds: optionalWholeNumber(invocation, "timeout"),
    budgetMicroUsd: budget === undefined ? undefined : readDollars(budget),
    budgetTokens: optionalWholeNumber(invocation, "tokens"),
  });
}

/** One story from a line of text. */
export function readStoryRequest(context: CommandContext, invocation: Invocation): StoryRequestFields {
  const criteria = invocation.optionList("accept");
  const scope = invocation.optionList("scope");
  const limits = present({
    maxDepth: optionalWholeNumber(invocation, "depth"),
    maxDelegations: optionalWholeNumber(invocation, "delegations"),
    maxConcurrent: optionalWholeNumber(invocation, "parallel"),
  });
  return {
    ...readStoryFlags(context, invocation),
    ...present({
      context: invocation.option("context"),
      criteria: criteria.length === 0 ? undefined : criteria,
      fileScope: scope.length === 0 ? undefined : scope,
      delegationConfig: Object.keys(limits).length === 0 ? undefined : limits,
    }),
    id: invocation.option("id") ?? `S-${randomBase36(6)}`,
    title: invocation.argument("story"),
  };
}

function who(
  context: CommandContext,
  given: {
    readonly script: string | undefined;
    readonly command: readonly string[];
    readonly agent: string | undefined;
  },
) {
  const named = [given.script, given.agent, given.command[0]].filter((one) => one !== undefined);
  if (named.length > 1)
    throw usage(
      "more than one says who works on it",
      "Give one of --agent, --script and a command after --.",
    );
  if (given.script !== undefined)
    return { adapter: "scripted", command: [resolve(context.directory, given.script)] };
  if (given.command.length > 0) return { adapter: "command", command: [...given.command] };
  return { agent: given.agent };
}

export function readDollars(text: string): number {
  const value = /^\d{1,9}(?:\.\d{1,6})?$/.test(text) ? Number(text) : Number.NaN;
  if (Number.isNaN(value)) throw usage(`--budget is ${text}`, "Give dollars, for example --budget 2.50.");
  return microUsd(value);
}

function present(fields: Readonly<Record<string, unknown>>): Readonly<Record<string, unknown>> {
  return Object.fromEntries(Object.entries(fields).filter(([, value]) => value !== undefined));
}
