import * as z from "zod";
import { workErrors } from "../errors/work.ts";
import type { AppContext } from "./project/app-context.ts";
import { withSupervisor } from "./project/connect-supervisor.ts";
import { findTarget } from "./project/find-target.ts";
import { readStore } from "./project/open-project.ts";
import { requirePerson } from "./project/require-person.ts";
import { defineUseCase } from "./use-case.ts";
import { callRuntime } from "./worker/call-runtime.ts";

const MAX_TEXT = 4000;

const input = () =>
  z.strictObject({
    to: z.string().describe("A story or delegation; for agents: manager, person or one of their workers"),
    text: z.string(),
    waitSeconds: z.int().min(0).describe("For agents: how long to wait for an answer"),
  });

const output = () =>
  z.looseObject({
    message_id: z.string().optional(),
    to: z.string().optional(),
    advice: z.string().optional(),
    answer: z.string().nullable().optional().describe("For agents; null when none came in time"),
  });

type Input = z.output<ReturnType<typeof input>>;
type Output = z.output<ReturnType<typeof output>>;

/** A person writes to any agent of a story; an agent, known by its token, to its own manager and workers. */
export const sendMessageUseCase = defineUseCase({
  input,
  output,
  isForAgents: true,
  runsProject: true,
  run: async (context, message) => {
    if (message.text.trim() === "") throw workErrors.emptyMessage();
    const isAgent = context.environment["AMBIT_TOKEN"] !== undefined;
    return isAgent ? sendAsAgent(context, message) : sendAsPerson(context, message);
  },
});

async function sendAsPerson(context: AppContext, { to: word, text }: Input): Promise<Output> {
  await requirePerson(context, "never writes in a person's name");
  if (text.length > MAX_TEXT) throw workErrors.textTooLong("the text", text.length, MAX_TEXT);
  const target = await readStore(context, (reader) => findTarget(reader, word));
  if (target === undefined) throw workErrors.noStoryToWriteTo(word);
  return withSupervisor(context, async (client) => {
    const sent = await client.call("message", { to: target.id, text, by: "person" });
    return output().required({ message_id: true, to: true }).parse(sent);
  });
}

async function sendAsAgent(context: AppContext, { to, text, waitSeconds }: Input): Promise<Output> {
  return output().parse(await callRuntime(context, "send_agent_message", { to, message: text, waitSeconds }));
}
