import * as z from "zod";
import type { Criterion } from "../../contract/task.ts";
import { workerCallErrors } from "../../errors/worker-calls.ts";
import type { Approval, Delegation } from "../../journal/store.ts";
import { judgeWork } from "../../verification/judge.ts";
import { recordEvent } from "../delegation/record.ts";
import type { EngineCalls } from "../live/engine-calls.ts";
import { identifyCaller, readFromSubtree, readFields, readWorker, runWhileLive } from "./caller.ts";
import { findOpenRequest, listNames } from "./steer.ts";

const verifySchema = z.strictObject({
  id: z.string().min(1).max(400),
  /** The id or the text; optional if only one is open. */
  criterion: z.string().max(20_000).optional(),
  verdict: z.enum(["passed", "failed", "waived"]),
  reason: z.string().max(4000).default(""),
});

interface Decided {
  readonly worker: Delegation;
  readonly approval: Approval;
  readonly criterion: Criterion;
  readonly verdict: "passed" | "failed" | "waived";
  readonly reason: string;
  readonly by: string;
}

/**
 * A manager decides a criterion of one of its own workers that no program can check, with a reason. A decision never
 * changes the result of a check, and no worker decides about its own work.
 */
export async function workerVerifies(engine: EngineCalls, input: unknown): Promise<object> {
  const { caller, fields } = identifyCaller(engine, input);
  const { id, criterion: name, verdict, reason } = readFields(verifySchema, fields);
  return runWhileLive(engine, caller, async () => {
    const target = await readFromSubtree(engine, caller, id);
    if (target.id === caller.id) throw workerCallErrors.decisionOnOwnWork(target.id);
    const worker = await readWorker(engine, caller, id);
    const approval = await findOpenRequest(engine, caller, { name: worker.id, kind: "criterion" });
    const criterion = findCriterion(worker, approval, name);
    const decided = { worker, approval, criterion, verdict, reason, by: caller.id };
    checkDecision(decided);
    await recordDecision(engine, decided);
    const left = await listUndecided(engine, decided);
    const isOver = verdict === "failed" || left.length === 0;
    if (isOver) {
      const answer = verdict === "failed" ? "rejected" : "approved";
      await engine.answer(approval.id, { answer, by: caller.id, reason, speaker: caller });
    }
    return { delegation_id: worker.id, criterion: criterion.id, verdict, settled: isOver, still_open: left };
  });
}

/** Finds a requested criterion by id, by text, or because it is the only one. */
function findCriterion(worker: Delegation, { details }: Approval, name: string | undefined): Criterion {
  const open = listOpenCriteria(worker, details);
  const [only] = open;
  if (name === undefined && only !== undefined && open.length === 1) return only;
  const all = worker.work?.criteria ?? [];
  const found = all.find((one) => one.id === name) ?? all.find((one) => one.text === name);
  if (found !== undefined) return found;
  const names = open.map((one) => `${one.id} (${one.text})`);
  throw workerCallErrors.noSuchCriterion(worker.id, name ?? "", names);
}

function listOpenCriteria(worker: Delegation, texts: readonly string[]): readonly Criterion[] {
  return (worker.work?.criteria ?? []).filter(({ text }) => texts.includes(text));
}

/** Applies the rules of every decision: never about own work, with a reason, never against a check. */
function checkDecision({ worker, criterion, verdict, reason, by }: Decided): void {
  const { check } = criterion;
  const hasCheck = check !== undefined && !("manual" in check);
  const decision = {
    criterionId: criterion.id,
    // Only a check can fail its own criterion, so any decision about it counts as one against it.
    verdict: hasCheck && verdict !== "waived" ? "passed" : verdict,
    by: { role: "manager", id: by },
    reason,
  } as const;
  const { rejected } = judgeWork({
    criteria: [criterion],
    results: [],
    decisions: [decision],
    worker: listNames(worker),
  });
  const [refusal] = rejected;
  if (refusal === undefined) return;
  throw workerCallErrors.decisionRejected(refusal.code, refusal.message);
}

async function recordDecision(
  engine: EngineCalls,
  { worker, criterion, verdict, reason, by }: Decided,
): Promise<void> {
  const data = { criterionId: criterion.id, text: criterion.text, verdict, evidence: reason, by };
  await recordEvent(engine.tools, worker, { type: "criterion-checked", data });
}

const checkedSchema = z.looseObject({
  type: z.literal("criterion-checked"),
  attempt: z.int(),
  data: z.looseObject({ criterionId: z.string(), verdict: z.string(), by: z.string() }),
});

const MAX_EVENTS = 500;

/** The requested criteria that the caller has not passed yet. */
async function listUndecided(
  engine: EngineCalls,
  { worker, approval, by }: Decided,
): Promise<readonly string[]> {
  const events = await engine.tools.store.newestEvents(MAX_EVENTS, { delegation: worker.id });
  const passed = new Set<string>();
  for (const { body } of events) {
    const event = checkedSchema.safeParse(JSON.parse(body));
    if (!event.success || event.data.attempt !== worker.attempt || event.data.data.by !== by) continue;
    if (event.data.data.verdict === "passed") passed.add(event.data.data.criterionId);
  }
  return listOpenCriteria(worker, approval.details)
    .map((one) => one.id)
    .filter((one) => !passed.has(one));
}
