import * as z from "zod";
import { exitCode } from "../../../contract/exit-code.ts";
import { sayLetter } from "../../../mailbox/message-rules.ts";
import type { CommandContext, CommandOutcome } from "../../command-module.ts";
import { callRuntime } from "../worker/call-runtime.ts";

const answerSchema = z.object({
  messages: z.array(
    z.looseObject({ id: z.string(), from: z.string(), message: z.record(z.string(), z.unknown()) }),
  ),
});

/** The same as the tool list_pending_messages, from an agent's shell. */
export async function readOwn(context: CommandContext): Promise<CommandOutcome> {
  const { messages } = answerSchema.parse(await callRuntime(context, "list_pending_messages", {}));
  const lines = messages.map(({ id, from, message }) => `${from} ${sayLetter(message)} (${id})`);
  return {
    exitCode: exitCode.completed,
    json: { messages },
    text: lines.length === 0 ? "Nothing new." : lines.join("\n"),
  };
}
