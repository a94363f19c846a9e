import * as z from "zod";
import { DelegationError } from "../base/delegation-error.ts";
import type { Delegation } from "../journal/store.ts";
import { PERSON } from "../mailbox/find-recipient.ts";
import type { Engine } from "./engine.ts";
import { storeMessage } from "./messages/store-message.ts";

const writeSchema = z.strictObject({
  to: z.string().min(1).max(400),
  text: z.string().trim().min(1).max(4000),
  by: z.string().max(200).default(PERSON),
});

/** A person tells any worker something. One that has asked gets it as its answer, every other one in its next turn. */
export async function personWrites(engine: Engine, input: unknown): Promise<object> {
  const { to, text } = writeSchema.parse(input);
  const worker = await engine.read(to);
  if (worker.state === "closed") throw hasEnded(worker);
  const open = (await engine.tools.store.approvalsOf(to)).find(
    ({ kind, answer }) => kind === "clarification" && answer === null,
  );
  if (open !== undefined) {
    await engine.answer(open.id, { answer: "replied", by: PERSON, reason: text });
    return { message_id: open.id, to, advice: "it had asked, and goes on with your answer" };
  }
  const body = { type: "answer", task_id: worker.todo ?? to, answer: text };
  const sent = await storeMessage(engine.tools, { about: worker, from: PERSON, to, body });
  return { message_id: sent.id, to, advice: whenRead(worker) };
}

function whenRead({ state }: Delegation): string {
  return state === "running"
    ? "it reads it when it looks, or in its next turn"
    : "it reads it in its next turn";
}

function hasEnded({ id, outcome }: Delegation): DelegationError {
  return new DelegationError({
    code: "RECIPIENT_NOT_FOUND",
    message: `${id} has ended ${outcome ?? ""} and reads nothing any more.`,
    recommendation: `Go on from its work with ambit resume ${id}, with what you want to say as --note.`,
  });
}
