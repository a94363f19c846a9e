import { resolve } from "node:path";
import { randomBase36 } from "../../../base/ids.ts";
import { exitCode } from "../../../contract/exit-code.ts";
import { microUsd } from "../../../ledger/money.ts";
import type { CommandContext, CommandOutcome, Invocation } from "../../command-module.ts";
import { optionalWholeNumber, usage } from "../../option-values.ts";
import { followStory } from "./follow-story.ts";
import { startedSupervisor } from "./project-supervisor.ts";

/** Hands a story to the supervisor and follows it. */
export async function runStoryCommand(
  context: CommandContext,
  invocation: Invocation,
): Promise<CommandOutcome> {
  const request = readRequest(context, invocation);
  if (invocation.flag("inProcess")) {
    const { runHere } = await import("./run-here.ts");
    return runHere(context, request);
  }
  const client = await startedSupervisor(context);
  try {
    await client.call("run", request);
    if (!invocation.flag("detach")) return await followStory(context, client, request.id);
  } finally {
    client.close();
  }
  return {
    exitCode: exitCode.completed,
    json: { story: request.id, outcome: null },
    text: `${request.id} is running.\n  watch  ambit attach ${request.id}\n  stop   ambit stop ${request.id}`,
  };
}

function readRequest(context: CommandContext, invocation: Invocation) {
  const script = invocation.option("script");
  const command = invocation.argumentList("command");
  if (script === undefined && command.length === 0) {
    throw usage("nothing to run", "Give a command after --, or a script with --script <file>.");
  }
  const timeoutSeconds = optionalWholeNumber(invocation, "timeout");
  const budget = invocation.option("budget");
  const isolation = invocation.option("isolation");
  return {
    id: invocation.option("id") ?? `S-${randomBase36(6)}`,
    title: invocation.argument("story"),
    adapter: script === undefined ? "command" : "scripted",
    command: script === undefined ? [...command] : [resolve(context.directory, script)],
    ...(isolation === undefined ? {} : { isolation }),
    ...(invocation.flag("network") ? { network: true } : {}),
    ...(script === undefined ? {} : { readable: [resolve(context.directory, script)] }),
    ...(timeoutSeconds === undefined ? {} : { timeoutSeconds }),
    ...(budget === undefined ? {} : { budgetMicroUsd: readDollars(budget) }),
  };
}

function readDollars(text: string): number {
  const value = /^\d{1,9}(?:\.\d{1,6})?$/.test(text) ? Number(text) : Number.NaN;
  if (Number.isNaN(value)) throw usage(`--budget is ${text}`, "Give dollars, for example --budget 2.50.");
  return microUsd(value);
}
