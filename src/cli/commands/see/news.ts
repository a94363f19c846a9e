import type { Message, StoreReader } from "../../../journal/store.ts";
import { PERSON } from "../../../mailbox/find-recipient.ts";
import { sayLetter } from "../../../mailbox/message-rules.ts";

const MOST_STORIES = 100;
const MOST_MESSAGES = 500;
const MOST_NEWS = 20;

/**
 * What those who are at work last said of themselves, and what was said to the person, newest first. Who cannot go on
 * without an answer is among the questions.
 */
export async function readNews(reader: StoreReader): Promise<readonly Message[]> {
  const stories = await reader.openStories(MOST_STORIES);
  const all = await Promise.all(stories.map((story) => newsOf(reader, story)));
  return all
    .flat()
    .toSorted((left, right) => right.sentAt.localeCompare(left.sentAt))
    .slice(0, MOST_NEWS);
}

async function newsOf(reader: StoreReader, story: string): Promise<readonly Message[]> {
  const messages = await reader.messages({ story, limit: MOST_MESSAGES });
  const tree = await reader.storyTree(story);
  const open = new Set(tree.filter(({ state }) => state !== "closed").map(({ id }) => id));
  const newest = new Map<string, Message>();
  for (const message of messages) if (isNews(message)) newest.set(aboutWhom(message), message);
  return [...newest].filter(([who]) => open.has(who)).map(([, message]) => message);
}

function isNews({ to, body }: Message): boolean {
  const { type } = body;
  if (type === "clarification_request" || type === "task_status") return false;
  return type === "task_progress" || to === PERSON;
}

/** The runtime speaks about a worker, which it names first. */
function aboutWhom({ from, body }: Message): string {
  const said = body["progress_summary"];
  return from === "ambit" && typeof said === "string" ? (said.split(" ", 1)[0] ?? from) : from;
}

export function newsDocument(message: Message): Readonly<Record<string, unknown>> {
  const { id, story, from, to, sentAt, body } = message;
  return { id, story, from, to, about: aboutWhom(message), sent_at: sentAt, message: body };
}

export function newsEntry(message: Message): {
  readonly from: string;
  readonly text: string;
  readonly sentMs: number;
} {
  return { from: message.from, text: sayLetter(message.body), sentMs: Date.parse(message.sentAt) };
}
