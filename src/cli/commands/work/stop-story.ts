import * as z from "zod";
import { exitCode } from "../../../contract/exit-code.ts";
import type { CommandContext, CommandOutcome, Invocation } from "../../command-module.ts";
import { findTarget } from "../../../app/find-target.ts";
import { nothingYet, readStore } from "../../../app/open-project.ts";
import { startedSupervisor } from "./project-supervisor.ts";

const answerSchema = z.object({ stopped: z.boolean(), outcome: z.string().nullable() });

/** Ends a story, or one delegation and everything below it. Returns when all of it has ended and its work is kept. */
export async function stopStory(context: CommandContext, invocation: Invocation): Promise<CommandOutcome> {
  const reason = invocation.option("reason") ?? "asked by a person";
  const target = await readStore(context, (reader) => findTarget(reader, invocation.argument("story")));
  if (target === undefined)
    return { exitCode: exitCode.completed, json: { stopped: false }, text: nothingYet };
  const { id } = target;
  const ended = await readStore(context, async (reader) => (await reader?.delegation(id))?.outcome);
  if (ended !== null && ended !== undefined) return notRunning(id, ended);
  const client = await startedSupervisor(context);
  try {
    const answer = answerSchema.parse(await client.call("stop", { id, reason, by: "person" }));
    const { stopped, outcome } = answer;
    if (!stopped) return notRunning(id, outcome ?? "open");
    const text = `${id} has stopped (${outcome ?? "open"}); its work is kept.\n  look  ambit diff ${id}\n  next  ambit resume ${id}`;
    return { exitCode: exitCode.completed, json: { id, stopped, outcome }, text };
  } finally {
    client.close();
  }
}

function notRunning(id: string, outcome: string): CommandOutcome {
  const text = `${id} is not running; it ended ${outcome}.`;
  return { exitCode: exitCode.completed, json: { id, stopped: false, outcome }, text };
}
