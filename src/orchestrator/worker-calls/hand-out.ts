import * as z from "zod";
import { explainFailure } from "../../guards/verdict.ts";
import type { Admission, Delegation } from "../../journal/store.ts";
import type { Engine } from "../engine.ts";
import type { Caller } from "../live/live-attempts.ts";
import { managerHead } from "../delegation/manager-branch.ts";
import { adviseOutside, isOutside } from "../external-manager/rules.ts";
import { countUnread } from "../messages/pending-messages.ts";
import { resultOf } from "../running/prepare/describe-results.ts";
import { waitInline } from "../parked/wait-inline.ts";
import { identify, readFields, readSubtree, readWorker } from "./caller.ts";
import { newCursor, openQuestions, watchQuestions, type ToldQuestion } from "./questions.ts";

const MOST_WAIT_SECONDS = 3600;
const MOST_IDS = 100;

const waiting = {
  waitSeconds: z.number().min(0).max(MOST_WAIT_SECONDS).default(60),
  /** Ends the wait when a worker asks something: for callers that can answer. */
  answersQuestions: z.boolean().default(false),
  /** Also tells what waits for a person: for callers that have one in front of them. */
  hasPerson: z.boolean().default(false),
} as const;

const delegateSchema = z.strictObject({ tasks: z.unknown(), ...waiting });
const waitSchema = z.strictObject({
  ids: z.array(z.string().min(1).max(400)).max(MOST_IDS).default([]),
  cursor: z.string().max(100).optional(),
  ...waiting,
});

/** What a worker is told about one request: admitted and how it ended so far, or why it was refused. */
type ToldTask =
  | {
      readonly admitted: true;
      readonly delegation_id: string;
      readonly state: string;
      readonly result: object | null;
    }
  | { readonly admitted: false; readonly codes: readonly string[]; readonly explanation: string };

export interface DelegateAnswer {
  readonly done: boolean;
  readonly advice: string;
  /** Names what is waited for; empty when nothing is. */
  readonly ticket: string;
  readonly cursor: string;
  readonly tasks: readonly ToldTask[];
  readonly questions: readonly ToldQuestion[];
  /** To be read with list_pending_messages. */
  readonly unread_messages: number;
}

/** A worker hands out parts of its work. Who it is, only its token says. */
export async function workerDelegates(engine: Engine, input: unknown): Promise<DelegateAnswer> {
  const { caller, fields } = identify(engine, input);
  const { tasks, ...how } = readFields(delegateSchema, fields);
  const cursor = await newCursor(engine);
  const admissions = await engine.delegate(caller, { tasks });
  const ids = admissions.flatMap((admission) => (admission.admitted ? [admission.delegation.id] : []));
  const waited = await waitFor(engine, caller, { ids, cursor, ...how });
  return describe(engine, caller, { ...waited, ids, asked: admissions, hasPerson: how.hasPerson });
}

/** A worker waits for what it handed out earlier in this turn: for those it names, or for all that it is owed. */
export async function workerWaits(engine: Engine, input: unknown): Promise<DelegateAnswer> {
  const { caller, fields } = identify(engine, input);
  const { ids: named, ...how } = readFields(waitSchema, fields);
  const ids = named.length === 0 ? await owedTo(engine, caller) : await namedOf(engine, caller, named);
  const waited = await waitFor(engine, caller, { ids, ...how });
  return describe(engine, caller, { ...waited, ids, asked: [], hasPerson: how.hasPerson });
}

async function owedTo(engine: Engine, caller: Caller): Promise<readonly string[]> {
  const subtree = await readSubtree(engine, caller);
  return subtree
    .filter(({ parent }) => parent === caller.id)
    .filter(({ parentAttempt, state }) => state !== "closed" || parentAttempt === caller.attempt)
    .map(({ id }) => id);
}

async function namedOf(engine: Engine, caller: Caller, named: readonly string[]): Promise<readonly string[]> {
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

/** Whether all have ended and the caller goes on in this attempt, with their work in its folder. */
async function waitFor(engine: Engine, caller: Caller, wait: Wait): Promise<{ readonly done: boolean }> {
  if (wait.ids.length === 0) return { done: true };
  if (wait.waitSeconds === 0) return { done: false };
  const manager = await engine.read(caller.id);
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
    if (waited === "done") await engine.live.during(caller, () => takeWork(engine, manager));
    return { done: waited === "done" };
  } finally {
    watch?.stop();
  }
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

interface Waited {
  readonly done: boolean;
  readonly ids: readonly string[];
  /** In the order of the request; those that were admitted are described by their newest state. */
  readonly asked: readonly Admission[];
  readonly hasPerson: boolean;
}

async function describe(engine: Engine, caller: Caller, waited: Waited): Promise<DelegateAnswer> {
  const { done, ids, asked, hasPerson } = waited;
  const manager = await engine.read(caller.id);
  const questions = await openQuestions(engine, manager, hasPerson);
  const tasks = await Promise.all(
    asked.length === 0 ? ids.map((id) => tellWorker(engine, id)) : asked.map((one) => tellAsked(engine, one)),
  );
  return {
    done,
    advice: adviceTo(manager, { done, tasks, questions }),
    ticket: done ? "" : ids.join(","),
    cursor: await newCursor(engine),
    tasks,
    questions,
    unread_messages: await countUnread(engine.tools, manager),
  };
}

async function tellAsked(engine: Engine, asked: Admission): Promise<ToldTask> {
  return asked.admitted ? tellWorker(engine, asked.delegation.id) : tellRefusal(asked);
}

async function tellWorker(engine: Engine, id: string): Promise<ToldTask> {
  const worker = await engine.read(id);
  const { state } = worker;
  return { admitted: true, delegation_id: id, state, result: state === "closed" ? resultOf(worker) : null };
}

function tellRefusal({ failures }: Extract<Admission, { readonly admitted: false }>): ToldTask {
  return {
    admitted: false,
    codes: failures.map(({ code }) => code),
    explanation: failures.map(explainFailure).join("\n"),
  };
}

function adviceTo(
  manager: Delegation,
  { done, tasks, questions }: Pick<DelegateAnswer, "done" | "tasks" | "questions">,
): string {
  if (tasks.length === 0) return "You have handed out nothing that could be waited for.";
  if (tasks.every(({ admitted }) => !admitted))
    return "Nothing was started; the limits and their numbers say why.";
  if (isOutside(manager)) return adviseOutside(manager, { done, questions: questions.length });
  if (done) return "All have ended; completed work is in your folder.";
  if (tasks.every((task) => !task.admitted || task.result !== null))
    return "All have ended. Wait for them once more, or end your turn, to have completed work in your folder.";
  if (questions.some(({ answer_with }) => answer_with !== "person"))
    return "A worker needs you: settle its question with reply or verify, then wait again.";
  return "They are still at work. End your turn now, without a return: you are resumed with their results.";
}
