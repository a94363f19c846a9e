import * as z from "zod";
import { toKnownUsd, toUsdNumber } from "../../base/money.ts";
import { delegationStatus } from "../../journal/delegation-status.ts";
import type { Delegation } from "../../journal/store.ts";
import type { EngineCalls } from "../live/engine-calls.ts";
import { countUnread } from "../messages/pending-messages.ts";
import { buildShortResult } from "../running/prepare/describe-results.ts";
import { identifyCaller, readFromSubtree, readFields, readSubtree } from "./caller.ts";
import { listOpenQuestions } from "./questions.ts";

const statusSchema = z.strictObject({ hasPerson: z.boolean().default(false) });
const resultSchema = z.strictObject({ id: z.string().min(1).max(400) });

/** The caller, its remaining budget, and every delegation below it. */
export async function workerStatus(engine: EngineCalls, input: unknown): Promise<object> {
  const { caller, fields } = identifyCaller(engine, input);
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
      can_delegate: limits !== undefined && limits.enabled && self.depth < limits.maxDepth,
      attempt: self.attempt,
      timeout_seconds: self.timeoutSeconds,
      budget_usd_left:
        self.money.limit === null ? null : toUsdNumber(Math.max(0, self.money.limit - self.money.spent)),
    },
    // The process that answers drives the story, so the story is not interrupted.
    interrupted: false,
    workers: below.map((worker) => describeWorker(engine, worker)),
    unread_messages: await countUnread(engine.tools, self),
    questions: await listOpenQuestions(engine, self, hasPerson),
  };
}

function describeWorker(engine: EngineCalls, worker: Delegation): object {
  return {
    delegation_id: worker.id,
    title: worker.description,
    agent: worker.agent,
    status: delegationStatus(worker),
    outcome: worker.outcome,
    code: worker.code,
    ...(worker.proof === null ? {} : { proof: worker.proof }),
    attempt: worker.attempt,
    cost_usd: toKnownUsd(Math.max(worker.microUsd, worker.money.spent)),
    waits_because: engine.whyWaiting(worker.id) ?? null,
  };
}

/** How a delegation of the caller's subtree ended; its result is null while it is open. */
export async function workerResult(engine: EngineCalls, input: unknown): Promise<object> {
  const { caller, fields } = identifyCaller(engine, input);
  const delegation = await readFromSubtree(engine, caller, readFields(resultSchema, fields).id);
  const { id, state, outcome, code, workers, openWorkers } = delegation;
  const isClosed = state === "closed";
  return {
    delegation_id: id,
    status: delegationStatus(delegation),
    outcome,
    code,
    workers,
    open_workers: openWorkers,
    result: isClosed ? buildShortResult(delegation) : null,
    where: describePlace(delegation),
  };
}

function describePlace({ id, outcome, tip }: Delegation): string {
  if (outcome === "completed") return "merged into its manager's work";
  return tip === null ? "nothing is saved yet" : `branch delegation/${id}, not merged`;
}
