import * as z from "zod";
import { DelegationError } from "../base/delegation-error.ts";
import { explainFailure } from "../guards/verdict.ts";
import type { Admission, Delegation } from "../journal/store.ts";
import { askAnother } from "./approvals.ts";
import type { Engine } from "./engine.ts";
import type { Caller } from "./live-attempts.ts";
import { managerHead } from "./manager-branch.ts";
import { resultOf } from "./turns/describe-results.ts";
import { waitInline } from "./wait-inline.ts";

const MOST_WAIT_SECONDS = 3600;
const tokenSchema = z.string().min(1).max(200);
const waitSchema = z.number().min(0).max(MOST_WAIT_SECONDS).default(60);
const delegateSchema = z.strictObject({ token: tokenSchema, tasks: z.unknown(), waitSeconds: waitSchema });
const askSchema = z.strictObject({
  token: tokenSchema,
  question: z.string().min(1).max(4000),
  waitSeconds: waitSchema,
});

/** What a worker is told about one request: admitted and how it ended so far, or why it was refused. */
export interface DelegateAnswer {
  readonly done: boolean;
  readonly advice: string;
  readonly tasks: readonly (
    | { readonly admitted: true; readonly delegation_id: string; readonly result: object | null }
    | { readonly admitted: false; readonly codes: readonly string[]; readonly explanation: string }
  )[];
}

/** A worker hands out parts of its work over the socket. Who it is, only its token says. */
export async function workerDelegates(engine: Engine, input: unknown): Promise<DelegateAnswer> {
  const { token, tasks, waitSeconds } = delegateSchema.parse(input);
  const caller = callerOf(engine, token);
  const admissions = await engine.delegate(caller, { tasks });
  const ids = admissions.flatMap((admission) => (admission.admitted ? [admission.delegation.id] : []));
  const manager = await readDelegation(engine, caller.id);
  const waited = ids.length === 0 ? "done" : await waitForWorkers(engine, manager, { ids, waitSeconds });
  if (waited === "done" && ids.length > 0) await engine.live.during(caller, () => takeWork(engine, manager));
  return { done: waited === "done", advice: adviceFor(waited), tasks: await describeAll(engine, admissions) };
}

async function waitForWorkers(
  engine: Engine,
  manager: Delegation,
  { ids, waitSeconds }: { ids: readonly string[]; waitSeconds: number },
): Promise<"done" | "ticket"> {
  if (waitSeconds === 0) return "ticket";
  return waitInline(engine.tools, {
    manager,
    waitingFor: ids,
    capMs: waitSeconds * 1000,
    over: Promise.all(ids.map((id) => engine.whenEnded(id))),
    live: engine.live,
    lendSlot: (isLent) => engine.lendSlot(manager.id, isLent),
  });
}

/** The workers' merged work comes into the caller's folder; the caller stands still in its call. */
async function takeWork(engine: Engine, manager: Delegation): Promise<void> {
  const place = await engine.tools.git.findPlace(manager);
  if (place === undefined) return;
  const { tip, base, filesChanged } = await place.keepWork(
    `Work of ${manager.id} while its workers worked\n`,
  );
  const { id, story, attempt } = manager;
  const data = { tip, base, filesChanged: [...filesChanged] };
  await engine.tools.store.record({ type: "work-kept", story, delegation: id, attempt, data });
  const head = await managerHead(engine.tools, id);
  if (head.commit !== tip) await place.advance(head.commit);
}

async function describeAll(
  engine: Engine,
  admissions: readonly Admission[],
): Promise<DelegateAnswer["tasks"]> {
  return Promise.all(
    admissions.map(async (admission) => {
      if (!admission.admitted) {
        const codes = admission.failures.map(({ code }) => code);
        return {
          admitted: false as const,
          codes,
          explanation: admission.failures.map(explainFailure).join("\n"),
        };
      }
      const worker = await readDelegation(engine, admission.delegation.id);
      const result = worker.state === "closed" ? resultOf(worker) : null;
      return { admitted: true as const, delegation_id: worker.id, result };
    }),
  );
}

function adviceFor(waited: "done" | "ticket"): string {
  return waited === "done"
    ? "All have ended; completed work is in your folder."
    : "They are still at work. End your turn now, without a return: you are resumed with their results.";
}

/** A worker asks its manager or the person; without an answer in time it is asked to end its turn. */
export async function workerAsks(
  engine: Engine,
  input: unknown,
): Promise<{ answer: string | null; advice: string }> {
  const { token, question, waitSeconds } = askSchema.parse(input);
  const caller = callerOf(engine, token);
  const delegation = await readDelegation(engine, caller.id);
  const asked = { kind: "clarification", question, details: [] } as const;
  const id = await engine.live.during(caller, () => askAnother(engine.tools, delegation, asked));
  if (id === undefined) throw notAWorker();
  const waited = await waitInline(engine.tools, {
    manager: delegation,
    waitingFor: [id],
    capMs: waitSeconds * 1000,
    over: engine.whenAnswered(id),
    live: engine.live,
    lendSlot: (isLent) => engine.lendSlot(delegation.id, isLent),
  });
  const approval = (await engine.tools.store.approvalsOf(delegation.id)).find((one) => one.id === id);
  if (waited === "done" && approval?.answer === "replied") return { answer: approval.reason, advice: "" };
  const advice =
    waited === "done"
      ? "Nobody answered. Go on by your best judgement and say what you assumed."
      : "Nobody has answered yet. End your turn now, without a return: you are resumed with the answer.";
  return { answer: null, advice };
}

function callerOf(engine: Engine, token: string): Caller {
  const caller = engine.live.holderOf(token);
  if (caller !== undefined) return caller;
  throw notAWorker();
}

function notAWorker(): DelegationError {
  return new DelegationError({
    code: "NOT_A_WORKER",
    message: "This process is not a worker that is running now.",
    recommendation: "Use ambit run to start a story; ambit delegate is for agents inside one.",
  });
}

async function readDelegation(engine: Engine, id: string): Promise<Delegation> {
  const delegation = await engine.tools.store.delegation(id);
  if (delegation === undefined) throw new TypeError(`${id} is not in the store`);
  return delegation;
}
