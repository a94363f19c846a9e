import * as z from "zod";
import type { Message, StoreReader } from "../../journal/store.ts";
import { PERSON } from "../../mailbox/find-recipient.ts";
import { renderLetter } from "../../mailbox/message-rules.ts";

const MAX_STORIES = 100;
const MAX_MESSAGES = 500;
const MAX_NEWS = 20;

export const newsSchema = () =>
  z.looseObject({
    id: z.string(),
    story: z.string(),
    from: z.string(),
    to: z.string(),
    about: z.string().describe("The delegation"),
    sent_at: z.string(),
    message: z.record(z.string(), z.unknown()),
    text: z.string().describe("The message in words"),
  });

export type News = z.output<ReturnType<typeof newsSchema>>;

/**
 * The last progress of each working agent, and what agents told the person, newest first. Questions that need an
 * answer are not news.
 */
export async function readNews(reader: StoreReader): Promise<readonly News[]> {
  const stories = await reader.openStories(MAX_STORIES);
  const all = await Promise.all(stories.map((story) => readStoryNews(reader, story)));
  return all
    .flat()
    .toSorted((left, right) => right.sentAt.localeCompare(left.sentAt))
    .slice(0, MAX_NEWS)
    .map(describeNews);
}

async function readStoryNews(reader: StoreReader, story: string): Promise<readonly Message[]> {
  const messages = await reader.messages({ story, limit: MAX_MESSAGES });
  const tree = await reader.storyTree(story);
  const open = new Set(tree.filter(({ state }) => state !== "closed").map(({ id }) => id));
  const newest = new Map<string, Message>();
  for (const message of messages) if (isNews(message)) newest.set(findSubject(message), message);
  return [...newest].filter(([subject]) => open.has(subject)).map(([, message]) => message);
}

function isNews({ to, body }: Message): boolean {
  const { type } = body;
  if (type === "clarification_request" || type === "task_status") return false;
  return type === "task_progress" || to === PERSON;
}

/** The delegation a message is about. The runtime's own messages begin with its id. */
function findSubject({ from, body }: Message): string {
  const said = body["progress_summary"];
  return from === "ambit" && typeof said === "string" ? (said.split(" ", 1)[0] ?? from) : from;
}

function describeNews(message: Message): News {
  const { id, story, from, to, sentAt, body } = message;
  const about = findSubject(message);
  return { id, story, from, to, about, sent_at: sentAt, message: { ...body }, text: renderLetter(body) };
}
