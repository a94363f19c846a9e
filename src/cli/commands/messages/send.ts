import * as z from "zod";
import { exitCode } from "../../../contract/exit-code.ts";
import type { CommandContext, CommandOutcome, Invocation } from "../../command-module.ts";
import { parseWholeNumber, usage } from "../../option-values.ts";
import { renderVerdict } from "../../render/verdict.ts";
import { findTarget } from "../../../app/find-target.ts";
import { readStore } from "../../../app/open-project.ts";
import { startedSupervisor } from "../work/project-supervisor.ts";
import { callRuntime } from "../worker/call-runtime.ts";

const sentSchema = z.looseObject({
  message_id: z.string(),
  to: z.string(),
  advice: z.string().default(""),
  answer: z.string().nullable().optional(),
});

const LONGEST_TEXT = 4000;

/** A person writes in words to anybody; an agent, known by its token, to its own manager and workers. */
export async function sendMessage(context: CommandContext, invocation: Invocation): Promise<CommandOutcome> {
  const text = invocation.argumentList("text").join(" ").trim();
  if (text === "") throw usage("the message is empty", "Say in words what the worker is to know.");
  if (context.environment["AMBIT_TOKEN"] !== undefined) return sendAsAgent(context, invocation, text);
  if (text.length > LONGEST_TEXT)
    throw usage(`the text has ${text.length} characters`, `Use at most ${LONGEST_TEXT}.`);
  const word = invocation.argument("to");
  const target = await readStore(context, (reader) => findTarget(reader, word));
  if (target === undefined)
    throw usage(`there is no story yet to write to "${word}"`, "Start one with ambit run.");
  const client = await startedSupervisor(context);
  try {
    const sent = sentSchema.parse(await client.call("message", { to: target.id, text, by: "person" }));
    const message = `sent to ${sent.to}: ${sent.advice}`;
    return {
      exitCode: exitCode.completed,
      json: { ...sent },
      text: renderVerdict({ ok: true, message }, context),
    };
  } finally {
    client.close();
  }
}

async function sendAsAgent(
  context: CommandContext,
  invocation: Invocation,
  text: string,
): Promise<CommandOutcome> {
  const waitSeconds = parseWholeNumber(invocation.option("wait") ?? "60", "--wait");
  const call = { to: invocation.argument("to"), message: text, waitSeconds };
  const sent = sentSchema.partial().parse(await callRuntime(context, "send_agent_message", call));
  const isUnanswered = sent.answer === null;
  return {
    exitCode: isUnanswered ? exitCode.blocked : exitCode.completed,
    json: { ...sent },
    text: sent.answer ?? sent.advice ?? "",
  };
}
