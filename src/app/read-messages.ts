import * as z from "zod";
import { renderLetter } from "../mailbox/message-rules.ts";
import { defineUseCase } from "./use-case.ts";
import { callRuntime } from "./worker/call-runtime.ts";

const messageSchema = () =>
  z.looseObject({ id: z.string(), from: z.string(), message: z.record(z.string(), z.unknown()) });

const output = () =>
  z.looseObject({
    messages: z.array(messageSchema().extend({ text: z.string().describe("The message in words") })),
  });

/** For agents inside a story: the messages that the agent has not read yet. */
export const readMessagesUseCase = defineUseCase({
  input: () => z.strictObject({}),
  output,
  isForAgents: true,
  run: async (context) => {
    const answer = await callRuntime(context, "list_pending_messages", {});
    const { messages } = z.object({ messages: z.array(messageSchema()) }).parse(answer);
    return { messages: messages.map(addText) };
  },
});

function addText<Received extends { readonly message: Readonly<Record<string, unknown>> }>(
  received: Received,
) {
  return { ...received, text: renderLetter(received.message) };
}
