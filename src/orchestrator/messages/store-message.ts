import { isRecord } from "../../base/json.ts";
import { mailboxErrors } from "../../errors/mailbox.ts";
import type { AttemptName, Delegation, Message } from "../../journal/store.ts";
import { nameLetter, MAX_PENDING } from "../../mailbox/message-rules.ts";
import { redactValue } from "../../redaction/redact.ts";
import { recordEvent } from "../delegation/record.ts";
import type { RunTools } from "../ports/run-tools.ts";

export interface Draft {
  /** The delegation whose history records it: the sender, or the recipient of a person's message. */
  readonly about: Pick<Delegation, "id" | "story">;
  readonly from: string;
  readonly to: string;
  readonly body: Readonly<Record<string, unknown>>;
  /** The attempt that sends it; without one, it is of the runtime or of a person. */
  readonly speaker?: AttemptName;
  /** Set if the id is given, for example by the question that it asks. */
  readonly id?: string;
}

export interface SentMessage {
  readonly id: string;
  /** The recipient has the same message unread already, so it was not sent again. */
  readonly isRepeated: boolean;
}

/** Enough earlier messages to recognise a repetition. */
const MAX_EARLIER = 200;

/** Stores a message without any credential in it. Refused when its recipient has too many unread ones. */
export async function storeMessage(tools: RunTools, draft: Draft): Promise<SentMessage> {
  const { from, to, about, speaker } = draft;
  const { value } = redactValue(draft.body);
  const body = isRecord(value) ? value : {};
  const id = draft.id ?? nameLetter({ from, to, body }, await listEarlier(tools, draft));
  const known = await tools.store.message(id);
  if (known !== undefined) return { id, isRepeated: true };
  await refuseFullMailbox(tools, about.story, to);
  // It may be about a delegation that no attempt is at work on.
  const data = { messageId: id, from, to, body: { ...body } };
  await recordEvent(tools, { ...about, attempt: 0, speaker }, { type: "message-sent", data });
  return { id, isRepeated: false };
}

function listEarlier(tools: RunTools, { from, to, about }: Draft): Promise<readonly Message[]> {
  return tools.store.messages({ story: about.story, from, to, limit: MAX_EARLIER });
}

async function refuseFullMailbox(tools: RunTools, story: string, to: string): Promise<void> {
  const pending = await tools.store.messages({ story, to, state: "pending", limit: MAX_PENDING });
  if (pending.length < MAX_PENDING) return;
  throw mailboxErrors.mailboxFull(to, pending.length);
}
