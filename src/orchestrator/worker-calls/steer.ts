import * as z from "zod";
import { expandChildId } from "../../contract/child-id.ts";
import type { Approval, Delegation } from "../../journal/store.ts";
import { workerCallErrors } from "../../errors/worker-calls.ts";
import { redactCredentials } from "../../redaction/redact.ts";
import { readCaller } from "../calls/read-caller.ts";
import type { EngineCalls } from "../live/engine-calls.ts";
import type { Caller } from "../live/live-attempts.ts";
import { identifyCaller, isWorkerOf, readFields, readWorker, runWhileLive } from "./caller.ts";

const MAX_OPEN = 10_000;
const id = z.string().min(1).max(400);
const cancelSchema = z.strictObject({ id, reason: z.string().max(2000).default("") });
const replySchema = z.strictObject({ id, answer: z.string().trim().min(1).max(4000) });

/** A manager stops one of its own workers, with everything below it; their work is kept. */
export async function workerCancels(engine: EngineCalls, input: unknown): Promise<object> {
  const { caller, fields } = identifyCaller(engine, input);
  const { id: name, reason } = readFields(cancelSchema, fields);
  const { worker, ended } = await runWhileLive(engine, caller, async () => {
    const found = await readWorker(engine, caller, name);
    const why = { reason: reason === "" ? "stopped by its manager" : reason, by: caller.id, speaker: caller };
    // The stop begins while the caller is known to run, and is not awaited here: a worker may take long to end.
    return { worker: found, ended: found.state === "closed" ? undefined : engine.stop(found.id, why) };
  });
  await ended;
  const { outcome } = await engine.read(worker.id);
  return { delegation_id: worker.id, stopped: ended !== undefined, outcome };
}

/** A manager answers one of its own workers; it names the question by its own id or by the worker's. */
export async function workerReplies(engine: EngineCalls, input: unknown): Promise<object> {
  const { caller, fields } = identifyCaller(engine, input);
  const { id: name, answer } = readFields(replySchema, fields);
  return runWhileLive(engine, caller, async () => {
    const approval = await findOpenRequest(engine, caller, { name, kind: "clarification" });
    const reason = redactCredentials(answer).text;
    await engine.answer(approval.id, { answer: "replied", by: caller.id, reason, speaker: caller });
    return { question_id: approval.id, delegation_id: approval.delegation, answered: true };
  });
}

export interface OpenName {
  readonly name: string;
  readonly kind: "clarification" | "criterion";
}

/** An open question of one of the caller's own workers. */
export async function findOpenRequest(
  engine: EngineCalls,
  caller: Caller,
  { name, kind }: OpenName,
): Promise<Approval> {
  const manager = await readCaller(engine, caller);
  const open = await engine.tools.store.openApprovals(MAX_OPEN);
  const own = open.filter((one) => one.kind === kind && isWorkerOf(manager, one));
  const wanted = expandChildId(caller.id, name);
  const found = own.find((one) => one.id === wanted) ?? own.find(({ delegation }) => delegation === wanted);
  if (found !== undefined) return found;
  throw workerCallErrors.noSuchQuestion(name);
}

/** All names of a worker. */
export function listNames({ id: delegation, sessionId, agent }: Delegation): readonly string[] {
  return [delegation, sessionId, ...(agent === null ? [] : [agent])];
}
