import * as z from "zod";
import { DelegationError } from "../../base/delegation-error.ts";
import type { Approval, Delegation } from "../../journal/store.ts";
import { redactCredentials } from "../../mailbox/redact-credentials.ts";
import type { Engine } from "../engine.ts";
import type { Caller } from "../live/live-attempts.ts";
import { identify, isWorkerOf, readFields, readWorker, whileLive, wholeId } from "./caller.ts";

const id = z.string().min(1).max(400);
const cancelSchema = z.strictObject({ id, reason: z.string().max(2000).default("") });
const replySchema = z.strictObject({ id, answer: z.string().trim().min(1).max(4000) });

/** A manager stops one of its own workers, with everything below it; their work is kept. */
export async function workerCancels(engine: Engine, input: unknown): Promise<object> {
  const { caller, fields } = identify(engine, input);
  const { id: name, reason } = readFields(cancelSchema, fields);
  const { worker, ended } = await whileLive(engine, caller, async () => {
    const found = await readWorker(engine, caller, name);
    const why = { reason: reason === "" ? "stopped by its manager" : reason, by: caller.id };
    // Begun while the caller is known to live, but not waited for here: a worker may take its time to end.
    return { worker: found, ended: found.state === "closed" ? undefined : engine.stop(found.id, why) };
  });
  await ended;
  const { outcome } = await engine.read(worker.id);
  return { delegation_id: worker.id, stopped: ended !== undefined, outcome };
}

/** A manager answers what one of its own workers asked; the question is named by its id or by its worker's. */
export async function workerReplies(engine: Engine, input: unknown): Promise<object> {
  const { caller, fields } = identify(engine, input);
  const { id: name, answer } = readFields(replySchema, fields);
  return whileLive(engine, caller, async () => {
    const approval = await findOpen(engine, caller, { name, kind: "clarification" });
    const reason = redactCredentials(answer).text;
    await engine.answer(approval.id, { answer: "replied", by: caller.id, reason });
    return { question_id: approval.id, delegation_id: approval.delegation, answered: true };
  });
}

export interface OpenName {
  readonly name: string;
  readonly kind: "clarification" | "criterion";
}

/** An open question of one of the caller's own workers. */
export async function findOpen(engine: Engine, caller: Caller, { name, kind }: OpenName): Promise<Approval> {
  const manager = await engine.read(caller.id);
  const open = await engine.tools.store.openApprovals(10_000);
  const own = open.filter((one) => one.kind === kind && isWorkerOf(manager, one));
  const wanted = wholeId(caller, name);
  const found = own.find((one) => one.id === wanted) ?? own.find(({ delegation }) => delegation === wanted);
  if (found !== undefined) return found;
  throw new DelegationError({
    code: "APPROVAL_NOT_FOUND",
    message: `No worker of yours waits for an answer by the name ${name}.`,
    recommendation: "See what waits for you with status.",
    recoverable: true,
  });
}

/** Every name a worker goes by. */
export function namesOf({ id: delegation, sessionId, agent }: Delegation): readonly string[] {
  return [delegation, sessionId, ...(agent === null ? [] : [agent])];
}
