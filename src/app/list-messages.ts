import * as z from "zod";
import type { Message, StoreReader } from "../journal/store.ts";
import { renderLetter } from "../mailbox/message-rules.ts";
import { findTarget, type Target } from "./project/find-target.ts";
import { readStore } from "./project/open-project.ts";
import { defineUseCase } from "./use-case.ts";

const input = () =>
  z.strictObject({
    id: z.string().describe("A story or delegation; empty for the newest story"),
    pending: z.boolean().optional().describe("Only messages that have not been read yet"),
    limit: z.int().min(0).describe("At most this many, the newest"),
  });

const messageSchema = () =>
  z.looseObject({
    id: z.string(),
    from: z.string(),
    to: z.string(),
    state: z.string(),
    sent_at: z.string(),
    message: z.record(z.string(), z.unknown()),
    text: z.string().describe("The message in words"),
  });

const output = () =>
  z.looseObject({
    story: z.string().nullable().describe("Null before the first story"),
    id: z.string().nullable(),
    messages: z.array(messageSchema()),
  });

export type ListedMessage = z.output<ReturnType<typeof messageSchema>>;

/** The messages between the agents of a story, their managers and the person, oldest first. */
export const listMessagesUseCase = defineUseCase({
  input,
  output,
  isReadOnly: true,
  run: (context, { id, pending = false, limit }) =>
    readStore(context, async (reader) => {
      const target = await findTarget(reader, id);
      if (reader === undefined || target === undefined) return { story: null, id: null, messages: [] };
      const messages = await readMessages(reader, target, { limit, pending });
      return { story: target.story.id, id: target.id, messages: messages.map(describeMessage) };
    }),
});

const MAX_SEARCHED = 5000;

async function readMessages(
  reader: StoreReader,
  { id, story }: Target,
  { limit, pending }: { readonly limit: number; readonly pending: boolean },
): Promise<readonly Message[]> {
  const state = pending ? ({ state: "pending" } as const) : {};
  const isWhole = id === story.id;
  const all = await reader.messages({ story: story.id, ...state, limit: isWhole ? limit : MAX_SEARCHED });
  const own = isWhole ? all : all.filter(({ from, to }) => from === id || to === id);
  return limit === 0 ? [] : own.slice(-limit);
}

function describeMessage({ id, from, to, state, sentAt, body }: Message): ListedMessage {
  return { id, from, to, state, sent_at: sentAt, message: { ...body }, text: renderLetter(body) };
}
