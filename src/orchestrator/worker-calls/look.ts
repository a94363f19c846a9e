import * as z from "zod";
import { usdNumber } from "../../ledger/money.ts";
import { delegationStatus } from "../../journal/delegation-status.ts";
import type { Delegation } from "../../journal/store.ts";
import type { Engine } from "../engine.ts";
import { countUnread } from "../messages/pending-messages.ts";
import { resultOf } from "../running/prepare/describe-results.ts";
import { identify, readBelow, readFields, readSubtree } from "./caller.ts";
import { openQuestions } from "./questions.ts";

const statusSchema = z.strictObject({ hasPerson: z.boolean().default(false) });
const resultSchema = z.strictObject({ id: z.string().min(1).max(400) });

/** The caller, what is left to it, and every delegation below it. */
export async function workerStatus(engine: Engine, input: unknown): Promise<object> {
  const { caller, fields } = identify(engine, input);
  const { hasPerson } = readFields(statusSchema, fields);
  const [self, ...below] = await readSubtree(engine, caller);
  if (self === undefined) throw new TypeError(`${caller.id} is not in the store`);
  const limits = (await engine.tools.store.story(self.story))?.limits;
  return {
    self: {
      delegation_id: self.id,
      story: self.story,
      title: self.description,
      depth: self.depth,
      max_depth: limits?.maxDepth ?? null,
      attempt: self.attempt,
      timeout_seconds: self.timeoutSeconds,
      budget_usd_left:
        self.money.limit === null ? null : usdNumber(Math.max(0, self.money.limit - self.money.spent)),
    },
    workers: below.map((worker) => describe(engine, worker)),
    unread_messages: await countUnread(engine.tools, self),
    questions: await openQuestions(engine, self, hasPerson),
  };
}

function describe(engine: Engine, worker: Delegation): object {
  return {
    delegation_id: worker.id,
    title: worker.description,
    agent: worker.agent,
    status: delegationStatus(worker),
    outcome: worker.outcome,
    code: worker.code,
    attempt: worker.attempt,
    cost_usd: usdNumber(worker.microUsd),
    waits_because: engine.whyWaiting(worker.id) ?? null,
  };
}

/** How one of the caller's subtree ended; its result is null while it has not. */
export async function workerResult(engine: Engine, input: unknown): Promise<object> {
  const { caller, fields } = identify(engine, input);
  const delegation = await readBelow(engine, caller, readFields(resultSchema, fields).id);
  const { id, state, outcome, code, workers, openWorkers } = delegation;
  const isClosed = state === "closed";
  return {
    delegation_id: id,
    status: delegationStatus(delegation),
    outcome,
    code,
    workers,
    open_workers: openWorkers,
    result: isClosed ? resultOf(delegation) : null,
    where: whereIsIt(delegation),
  };
}

function whereIsIt({ id, outcome, tip }: Delegation): string {
  if (outcome === "completed") return "merged into its manager's work";
  return tip === null ? "nothing has been kept of it yet" : `branch delegation/${id}, not merged`;
}
