import * as z from "zod";
import { DelegationError } from "../../base/delegation-error.ts";
import type { Criterion } from "../../contract/task.ts";
import type { Approval, Delegation } from "../../journal/store.ts";
import { judge } from "../../verification/judge.ts";
import type { Engine } from "../engine.ts";
import { identify, readBelow, readFields, readWorker, whileLive } from "./caller.ts";
import { findOpen, namesOf } from "./steer.ts";

const verifySchema = z.strictObject({
  id: z.string().min(1).max(400),
  /** Id or text; not needed where only one is open. */
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
 * A manager decides a criterion no program can check, of one of its own workers, with a reason. What a check found is
 * not changed by it, and nobody decides about their own work.
 */
export async function workerVerifies(engine: Engine, input: unknown): Promise<object> {
  const { caller, fields } = identify(engine, input);
  const { id, criterion: name, verdict, reason } = readFields(verifySchema, fields);
  return whileLive(engine, caller, async () => {
    const target = await readBelow(engine, caller, id);
    if (target.id === caller.id) throw ownWork(target);
    const worker = await readWorker(engine, caller, id);
    const approval = await findOpen(engine, caller, { name: worker.id, kind: "criterion" });
    const criterion = findCriterion(worker, approval, name);
    const decided = { worker, approval, criterion, verdict, reason, by: caller.id };
    checkDecision(decided);
    await record(engine, decided);
    const left = await undecided(engine, decided);
    const isOver = verdict === "failed" || left.length === 0;
    if (isOver) {
      const answer = verdict === "failed" ? "rejected" : "approved";
      await engine.answer(approval.id, { answer, by: caller.id, reason });
    }
    return { delegation_id: worker.id, criterion: criterion.id, verdict, settled: isOver, still_open: left };
  });
}

function ownWork({ id }: Delegation): DelegationError {
  return new DelegationError({
    code: "DECISION_BY_WORKER",
    message: `${id} is your own work; you cannot decide about it.`,
    recommendation: "Return; your manager or a person decides.",
  });
}

/** Among those that were asked for, by id, by text, or the only one. */
function findCriterion(worker: Delegation, { details }: Approval, name: string | undefined): Criterion {
  const open = openCriteria(worker, details);
  const [only] = open;
  if (name === undefined && only !== undefined && open.length === 1) return only;
  const all = worker.work?.criteria ?? [];
  const found = all.find((one) => one.id === name) ?? all.find((one) => one.text === name);
  if (found !== undefined) return found;
  throw new DelegationError({
    code: "CRITERION_NOT_FOUND",
    message: `${worker.id} has no criterion "${name ?? ""}" that waits for you.`,
    recommendation: `Name one of: ${open.map((one) => `${one.id} (${one.text})`).join("; ")}`,
    recoverable: true,
  });
}

function openCriteria(worker: Delegation, texts: readonly string[]): readonly Criterion[] {
  return (worker.work?.criteria ?? []).filter(({ text }) => texts.includes(text));
}

/** The same rules as for every decision: nobody about their own work, with a reason, never against a check. */
function checkDecision({ worker, criterion, verdict, reason, by }: Decided): void {
  const { check } = criterion;
  const hasCheck = check !== undefined && !("manual" in check);
  const decision = {
    criterionId: criterion.id,
    // A check alone can fail what it checks, so any decision about it is one against it.
    verdict: hasCheck && verdict !== "waived" ? "passed" : verdict,
    by: { role: "manager", id: by },
    reason,
  } as const;
  const { rejected } = judge({
    criteria: [criterion],
    results: [],
    decisions: [decision],
    worker: namesOf(worker),
  });
  const [refusal] = rejected;
  if (refusal === undefined) return;
  throw new DelegationError({
    code: refusal.code,
    message: refusal.message,
    recommendation: "Look at the work itself, then decide what no program can, with a reason.",
    recoverable: true,
  });
}

async function record(engine: Engine, { worker, criterion, verdict, reason, by }: Decided): Promise<void> {
  const { id, story, attempt } = worker;
  const data = { criterionId: criterion.id, text: criterion.text, verdict, evidence: reason, by };
  await engine.tools.store.record({
    type: "criterion-checked",
    story,
    delegation: id,
    attempt,
    data,
  });
}

const checkedSchema = z.looseObject({
  type: z.literal("criterion-checked"),
  attempt: z.int(),
  data: z.looseObject({ criterionId: z.string(), verdict: z.string(), by: z.string() }),
});

const PAGE = 500;

/** Which of those that were asked for nobody has passed yet. */
async function undecided(engine: Engine, { worker, approval, by }: Decided): Promise<readonly string[]> {
  const events = await engine.tools.store.newestEvents(PAGE, { delegation: worker.id });
  const passed = new Set<string>();
  for (const { body } of events) {
    const event = checkedSchema.safeParse(JSON.parse(body));
    if (!event.success || event.data.attempt !== worker.attempt || event.data.data.by !== by) continue;
    if (event.data.data.verdict === "passed") passed.add(event.data.data.criterionId);
  }
  return openCriteria(worker, approval.details)
    .map((one) => one.id)
    .filter((one) => !passed.has(one));
}
