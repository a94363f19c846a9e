import { DelegationError } from "../../base/delegation-error.ts";
import type { Delegation, Message } from "../../journal/store.ts";
import { letterId, MOST_PENDING } from "../../mailbox/message-rules.ts";
import { redactValue } from "../../mailbox/redact-credentials.ts";
import type { RunTools } from "../ports/run-tools.ts";

export interface Draft {
  /** The delegation in whose history it stands: its sender, or its recipient where a person sends it. */
  readonly about: Pick<Delegation, "id" | "story">;
  readonly from: string;
  readonly to: string;
  readonly body: Readonly<Record<string, unknown>>;
  /** Where something else gives it its name, such as the question it asks. */
  readonly id?: string;
}

export interface SentMessage {
  readonly id: string;
  /** The same is there unread already; it was not sent twice. */
  readonly isRepeated: boolean;
}

/** What both ends have said to each other lately: enough to know a repetition by. */
const LOOKED_BACK = 200;

/** Writes a message down, never with a credential in it. Refused when its recipient has too many unread ones. */
export async function storeMessage(tools: RunTools, draft: Draft): Promise<SentMessage> {
  const { from, to, about } = draft;
  const { value } = redactValue(draft.body);
  const body = isRecord(value) ? value : {};
  const id = draft.id ?? letterId({ from, to, body }, await sentBefore(tools, draft));
  const known = await tools.store.message(id);
  if (known !== undefined) return { id, isRepeated: true };
  await checkRoom(tools, about.story, to);
  // The number of an attempt would refuse what is said right before or after it.
  await tools.store.record({
    type: "message-sent",
    story: about.story,
    delegation: about.id,
    attempt: 0,
    data: { messageId: id, from, to, body: { ...body } },
  });
  return { id, isRepeated: false };
}

function sentBefore(tools: RunTools, { from, to, about }: Draft): Promise<readonly Message[]> {
  return tools.store.messages({ story: about.story, from, to, limit: LOOKED_BACK });
}

async function checkRoom(tools: RunTools, story: string, to: string): Promise<void> {
  const pending = await tools.store.messages({ story, to, state: "pending", limit: MOST_PENDING });
  if (pending.length < MOST_PENDING) return;
  throw new DelegationError({
    code: "MAILBOX_FULL",
    message: `${to} has ${pending.length} unread messages; no more are taken.`,
    recommendation: "Go on with your work; say it in your return, or when they have been read.",
    recoverable: true,
  });
}

function isRecord(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}
