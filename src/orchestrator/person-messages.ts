import * as z from "zod";
import type { AnswerSource } from "../contract/approval.ts";
import { mailboxErrors } from "../errors/mailbox.ts";
import type { Delegation } from "../journal/store.ts";
import { PERSON } from "../mailbox/find-recipient.ts";
import { addNote } from "./delegation/record.ts";
import type { EngineCalls } from "./live/engine-calls.ts";
import { storeMessage } from "./messages/store-message.ts";

const writeSchema = z.strictObject({
  to: z.string().min(1).max(400),
  text: z.string().trim().min(1).max(4000),
  by: z.string().max(200).default(PERSON),
});

/**
 * Sends a person's message to any worker. A worker that has asked gets it as its answer, every other one in its next
 * turn.
 */
export async function sendPersonMessage(
  engine: EngineCalls,
  input: unknown,
  via?: AnswerSource,
): Promise<{ message_id: string; to: string; advice: string }> {
  const { to, text } = writeSchema.parse(input);
  const worker = await engine.read(to);
  if (worker.state === "closed") throw mailboxErrors.recipientEndedForPerson(worker.id, worker.outcome ?? "");
  const open = (await engine.tools.store.approvalsOf(to)).find(
    ({ kind, answer }) => kind === "clarification" && answer === null,
  );
  if (open !== undefined) {
    await engine.answer(open.id, {
      answer: "replied",
      by: PERSON,
      reason: text,
      ...(via === undefined ? {} : { via }),
    });
    return { message_id: open.id, to, advice: "it had asked, and continues with your answer" };
  }
  const body = { type: "answer", task_id: worker.todo ?? to, answer: text };
  const sent = await storeMessage(engine.tools, { about: worker, from: PERSON, to, body });
  return { message_id: sent.id, to, advice: describeDelivery(worker) };
}

/** A person's own line in the journal of a story or delegation, open or ended (R130). */
export async function addPersonNote(engine: EngineCalls, id: string, text: string): Promise<void> {
  const { story } = await engine.read(id);
  // The note belongs to no attempt, so it can be written after the end, too.
  await addNote(engine.tools, { id, story, attempt: 0 }, `${PERSON}: ${text}`);
}

function describeDelivery({ state }: Delegation): string {
  return state === "running"
    ? "it reads it when it lists its messages, or in its next turn"
    : "it reads it in its next turn";
}
