import * as z from "zod";
import { explainFailure } from "../../guards/verdict.ts";
import type { Admission, Delegation } from "../../journal/store.ts";
import { readCaller } from "../calls/read-caller.ts";
import type { EngineCalls } from "../live/engine-calls.ts";
import type { Caller } from "../live/live-attempts.ts";
import { findManagerHead } from "../delegation/manager-branch.ts";
import { recordEvent } from "../delegation/record.ts";
import { isExternalManager } from "../delegation/kind.ts";
import { adviseExternalManager } from "../external-manager/rules.ts";
import { countUnread } from "../messages/pending-messages.ts";
import { buildShortResult } from "../running/prepare/describe-results.ts";
import { waitInline } from "../parked/wait-inline.ts";
import { identifyCaller, readFields, readSubtree, readWorker } from "./caller.ts";
import { newCursor, listOpenQuestions, watchQuestions, type OpenQuestion } from "./questions.ts";

const MAX_WAIT_SECONDS = 3600;
const MAX_IDS = 100;

const waiting = {
  waitSeconds: z.number().min(0).max(MAX_WAIT_SECONDS).default(60),
  /** Ends the wait when a worker asks a question: for callers that can answer. */
  answersQuestions: z.boolean().default(false),
  /** Includes requests for a person: for callers that have a person in front of them. */
  hasPerson: z.boolean().default(false),
} as const;

const delegateSchema = z.strictObject({ tasks: z.unknown(), ...waiting });
const waitSchema = z.strictObject({
  ids: z.array(z.string().min(1).max(400)).max(MAX_IDS).default([]),
  cursor: z.string().max(100).optional(),
  ...waiting,
});

/** The answer about one request: its state and result so far, or why it was refused. */
type TaskAnswer =
  | {
      readonly admitted: true;
      readonly delegation_id: string;
      readonly state: string;
      /** Its outcome; `open` while it has not ended. */
      readonly status: string;
      readonly result: object | null;
    }
  | {
      readonly admitted: false;
      readonly status: "refused";
      readonly codes: readonly string[];
      readonly explanation: string;
    };

export interface DelegateAnswer {
  readonly done: boolean;
  readonly advice: string;
  /** The delegations still waited for; empty if there are none. */
  readonly ticket: string;
  readonly cursor: string;
  readonly tasks: readonly TaskAnswer[];
  readonly questions: readonly OpenQuestion[];
  /** The caller can read them with list_pending_messages. */
  readonly unread_messages: number;
}

/** A worker delegates parts of its work. Only its token identifies it. */
export async function workerDelegates(engine: EngineCalls, input: unknown): Promise<DelegateAnswer> {
  const { caller, fields } = identifyCaller(engine, input);
  const { tasks, ...how } = readFields(delegateSchema, fields);
  const cursor = await newCursor(engine);
  const admissions = await engine.delegate(caller, { tasks });
  const ids = admissions.flatMap((admission) => (admission.admitted ? [admission.delegation.id] : []));
  const waited = await waitForWorkers(engine, caller, { ids, cursor, ...how });
  return buildAnswer(engine, caller, { ...waited, ids, asked: admissions, hasPerson: how.hasPerson });
}

/**
 * A worker waits for its earlier delegations of this turn: for those it names, or for all whose results it has not got
 * yet.
 */
export async function workerWaits(engine: EngineCalls, input: unknown): Promise<DelegateAnswer> {
  const { caller, fields } = identifyCaller(engine, input);
  const { ids: named, ...how } = readFields(waitSchema, fields);
  const ids = named.length === 0 ? await listOwed(engine, caller) : await findNamed(engine, caller, named);
  const waited = await waitForWorkers(engine, caller, { ids, ...how });
  return buildAnswer(engine, caller, { ...waited, ids, asked: [], hasPerson: how.hasPerson });
}

async function listOwed(engine: EngineCalls, caller: Caller): Promise<readonly string[]> {
  const subtree = await readSubtree(engine, caller);
  return subtree
    .filter(({ parent }) => parent === caller.id)
    .filter(({ parentAttempt, state }) => state !== "closed" || parentAttempt === caller.attempt)
    .map(({ id }) => id);
}

async function findNamed(
  engine: EngineCalls,
  caller: Caller,
  named: readonly string[],
): Promise<readonly string[]> {
  const workers = await Promise.all(named.map((id) => readWorker(engine, caller, id)));
  return [...new Set(workers.map(({ id }) => id))];
}

interface Wait {
  readonly ids: readonly string[];
  readonly cursor?: string | undefined;
  readonly waitSeconds: number;
  readonly answersQuestions: boolean;
  readonly hasPerson: boolean;
}

/** Whether all have ended and the caller continues in this attempt, with their work in its folder. */
async function waitForWorkers(
  engine: EngineCalls,
  caller: Caller,
  wait: Wait,
): Promise<{ readonly done: boolean }> {
  if (wait.ids.length === 0) return { done: true };
  if (wait.waitSeconds === 0) return { done: false };
  const manager = await readCaller(engine, caller);
  const { cursor, hasPerson: withPerson } = wait;
  const watch = wait.answersQuestions
    ? await watchQuestions(engine, manager, { cursor, withPerson })
    : undefined;
  try {
    const waited = await waitInline(engine.tools, {
      manager,
      waitingFor: wait.ids,
      capMs: wait.waitSeconds * 1000,
      over: Promise.all(wait.ids.map((id) => engine.whenEnded(id))),
      ...(watch === undefined ? {} : { interrupted: watch.asked }),
      live: engine.live,
      lendSlot: (isLent) => engine.lendSlot(manager.id, isLent),
    });
    if (waited === "done") await engine.live.runWhileLive(caller, () => bringMergedWork(engine, manager));
    return { done: waited === "done" };
  } finally {
    watch?.stop();
  }
}

/** Brings the workers' merged work into the caller's folder while the caller is blocked in its call. */
async function bringMergedWork(engine: EngineCalls, manager: Delegation): Promise<void> {
  const place = await engine.tools.git.findPlace(manager);
  if (place === undefined) return;
  const { tip, base, filesChanged } = await place.keepWork(
    `Work of ${manager.id} while its workers worked\n`,
  );
  const data = { tip, base, filesChanged: [...filesChanged] };
  await recordEvent(engine.tools, manager, { type: "work-kept", data });
  const head = await findManagerHead(engine.tools, manager.id);
  if (head.commit !== tip) await place.advance(head.commit);
}

interface Waited {
  readonly done: boolean;
  readonly ids: readonly string[];
  /** The admissions in the order of the requests; admitted ones are described by their newest state. */
  readonly asked: readonly Admission[];
  readonly hasPerson: boolean;
}

async function buildAnswer(engine: EngineCalls, caller: Caller, waited: Waited): Promise<DelegateAnswer> {
  const { done, ids, asked, hasPerson } = waited;
  const manager = await readCaller(engine, caller);
  const questions = await listOpenQuestions(engine, manager, hasPerson);
  const tasks = await Promise.all(
    asked.length === 0
      ? ids.map((id) => describeWorker(engine, id))
      : asked.map((one) => describeAdmission(engine, one)),
  );
  return {
    done,
    advice: adviseManager(manager, { done, tasks, questions }),
    ticket: done ? "" : ids.join(","),
    cursor: await newCursor(engine),
    tasks,
    questions,
    unread_messages: await countUnread(engine.tools, manager),
  };
}

async function describeAdmission(engine: EngineCalls, asked: Admission): Promise<TaskAnswer> {
  return asked.admitted ? describeWorker(engine, asked.delegation.id) : describeRefusal(asked);
}

async function describeWorker(engine: EngineCalls, id: string): Promise<TaskAnswer> {
  const worker = await engine.read(id);
  const { state, outcome } = worker;
  return {
    admitted: true,
    delegation_id: id,
    state,
    status: state === "closed" ? (outcome ?? "open") : "open",
    result: state === "closed" ? buildShortResult(worker) : null,
  };
}

function describeRefusal({ failures }: Extract<Admission, { readonly admitted: false }>): TaskAnswer {
  return {
    admitted: false,
    status: "refused",
    codes: failures.map(({ code }) => code),
    explanation: failures.map(explainFailure).join("\n"),
  };
}

function adviseManager(
  manager: Delegation,
  { done, tasks, questions }: Pick<DelegateAnswer, "done" | "tasks" | "questions">,
): string {
  if (tasks.length === 0) return "You have delegated nothing to wait for.";
  if (tasks.every(({ admitted }) => !admitted))
    return "Nothing was started; the explanations name the limits.";
  const ends = countEnds(tasks);
  if (isExternalManager(manager))
    return adviseExternalManager(manager, { done, ends, questions: questions.length });
  if (done) return `All have ended: ${ends}. Completed work is in your folder.`;
  if (tasks.every((task) => !task.admitted || task.result !== null))
    return "All have ended. Wait for them once more, or end your turn, to get completed work into your folder.";
  if (questions.some(({ answer_with }) => answer_with !== "person"))
    return "A worker needs you: settle its question with reply or verify, then wait again.";
  return "They are still at work. End your turn now, without a return: you are resumed with their results.";
}

/** `2 completed, 1 failed, 1 refused` */
function countEnds(tasks: readonly TaskAnswer[]): string {
  const counts = new Map<string, number>();
  for (const { status } of tasks) counts.set(status, (counts.get(status) ?? 0) + 1);
  return [...counts].map(([status, count]) => `${count} ${status}`).join(", ");
}
