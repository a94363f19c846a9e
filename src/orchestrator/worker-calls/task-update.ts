import * as z from "zod";
import type { TodoItem, TodoProblem } from "../../contract/todo-item.ts";
import { explainFailure } from "../../guards/verdict.ts";
import { todoDocument, type TodoView } from "../../journal/todo-view.ts";
import { redactValue } from "../../mailbox/redact-credentials.ts";
import type { Admission } from "../../journal/store.ts";
import type { Engine } from "../engine.ts";
import type { Caller } from "../live/live-attempts.ts";
import { isOutside } from "../external-manager/rules.ts";
import { checkOwnWork } from "../todos/check-own.ts";
import { planUpdate, type TodoPlan } from "../todos/plan-update.ts";
import { readTodoList, type TodoList } from "../todos/read-todos.ts";
import { whyUnproven } from "../todos/unproven.ts";
import { identify, readFields, whileLive } from "./caller.ts";
import { keepOwnWork } from "./keep-own-work.ts";

const updateSchema = z.strictObject({ todos: z.unknown() });
const MOST_BYTES = 256 * 1024;

/**
 * A manager writes down its task list, all of it or the tasks that change (R164). A task that becomes `delegated` is
 * handed to its worker here; one that is taken back stops it; one that a worker did is completed only when its criteria
 * were found to be met (R173). With anything wrong in the list, nothing of it is done.
 */
export async function workerUpdatesTasks(engine: Engine, input: unknown): Promise<object> {
  const { caller, fields } = identify(engine, input);
  const { todos } = readFields(updateSchema, fields);
  return updateTodos(engine, caller, todos);
}

export async function updateTodos(engine: Engine, caller: Caller, given: unknown): Promise<object> {
  const { value, count } = redactValue(fromJson(given));
  const bytes = Buffer.byteLength(JSON.stringify(value) ?? "");
  if (bytes > MOST_BYTES) return refused([tooLarge(bytes)], []);
  const red = await checkOwn(engine, caller, value);
  if (red.length > 0) return refused(red, []);
  const done = await whileLive(engine, caller, () => writeDown(engine, caller, value));
  if (done.kind === "refused") return refused(done.problems, done.plan.warnings);
  const { plan, list, stopped } = done;
  await Promise.all(stopped);
  const handedOut = await handOut(engine, caller, { plan, list });
  const now = await readTodoList(engine.tools, await engine.read(caller.id));
  return {
    accepted: true,
    codes: [],
    problems: [],
    warnings: [...plan.warnings, ...(count === 0 ? [] : [`${count} credential(s) were taken out.`])],
    delegations: handedOut,
    todos: now.views.map(todoDocument),
    advice: advise(isOutside(await engine.read(caller.id)), { handedOut, views: now.views }),
  };
}

/** Credentials are looked for in texts, never across them; what is no JSON is refused as it came. */
function fromJson(given: unknown): unknown {
  if (typeof given !== "string") return given;
  try {
    const parsed: unknown = JSON.parse(given);
    return parsed;
  } catch {
    // The plan says so with a code.
    return given;
  }
}

/** Before the list is touched, and without holding up the caller's other calls: checks take their time. */
async function checkOwn(engine: Engine, caller: Caller, given: unknown): Promise<readonly TodoProblem[]> {
  const { tools } = engine;
  const list = await readTodoList(tools, await engine.read(caller.id));
  const { ownWork, problems } = planUpdate({ given, ...list, nowMs: tools.clock.wallMs() });
  const wanted = ownWork.filter(({ acceptance_criteria: criteria = [] }) => criteria.length > 0);
  if (problems.length > 0 || wanted.length === 0 || isOutside(await engine.read(caller.id))) return [];
  return checkOwnWork(tools, await keepOwnWork(engine, caller), wanted);
}

type Written =
  | { readonly kind: "refused"; readonly problems: readonly TodoProblem[]; readonly plan: TodoPlan }
  | {
      readonly kind: "written";
      readonly plan: TodoPlan;
      readonly list: TodoList;
      readonly stopped: readonly Promise<void>[];
    };

async function writeDown(engine: Engine, caller: Caller, given: unknown): Promise<Written> {
  const { tools } = engine;
  const manager = await engine.read(caller.id);
  const list = await readTodoList(tools, manager);
  const plan = planUpdate({ given, ...list, nowMs: tools.clock.wallMs() });
  const unproven = await Promise.all(plan.completing.map((todo) => whyUnproven(tools, todo)));
  const problems = [...plan.problems, ...unproven.flat()];
  if (problems.length > 0) return { kind: "refused", problems, plan };
  await record(engine, caller, plan.changed);
  const why = { reason: "its manager took the task back", by: caller.id };
  // Begun while the caller is known to live, but not waited for here: a worker may take its time to end.
  const stopped = plan.recalled.flatMap(({ worker }) =>
    worker === null ? [] : [engine.stop(worker.id, why)],
  );
  return { kind: "written", plan, list, stopped };
}

async function record(engine: Engine, { id, attempt }: Caller, todos: readonly TodoItem[]): Promise<void> {
  if (todos.length === 0) return;
  const { story } = await engine.read(id);
  const data = { todos: [...todos] };
  await engine.tools.store.record({ type: "todos-updated", story, delegation: id, attempt, data });
}

interface HandedOut {
  readonly todo: string;
  readonly admitted: boolean;
  readonly delegation_id: string | null;
  readonly codes: readonly string[];
  readonly explanation: string;
}

/** Same admission, same guards as any other request; what is refused goes back to where it was, with the reason. */
async function handOut(
  engine: Engine,
  caller: Caller,
  { plan, list }: { readonly plan: TodoPlan; readonly list: TodoList },
): Promise<readonly HandedOut[]> {
  if (plan.handOut.length === 0) return [];
  const admissions = await engine.delegate(caller, { tasks: plan.handOut.map(requestFor) });
  const told = plan.handOut.map((item, index) => tell(item, admissions[index]));
  const back = plan.handOut
    .filter((_, index) => told[index]?.admitted === false)
    .map((item) => putBack(item, { list, reason: reasonOf(told, item) }));
  if (back.length > 0) await whileLive(engine, caller, () => record(engine, caller, back));
  return told;
}

function requestFor(item: TodoItem): object {
  const { id, content, delegated_to: agent, acceptance_criteria: accept, context } = item;
  const { priority, timeout_seconds, file_scope, depends_on } = item;
  return {
    todo: id,
    description: content,
    agent,
    accept,
    ...(context === undefined || context === "" ? {} : { context }),
    ...(priority === undefined ? {} : { priority }),
    ...(timeout_seconds === undefined ? {} : { timeout_seconds }),
    ...(file_scope === undefined ? {} : { file_scope }),
    ...(depends_on === undefined ? {} : { depends_on }),
  };
}

function tell({ id }: TodoItem, admission: Admission | undefined): HandedOut {
  if (admission?.admitted === true)
    return {
      todo: id,
      admitted: true,
      delegation_id: admission.delegation.id,
      codes: [],
      explanation: "",
    };
  const failures = admission?.failures ?? [];
  return {
    todo: id,
    admitted: false,
    delegation_id: null,
    codes: failures.map(({ code }) => code),
    explanation: failures.map(explainFailure).join("\n"),
  };
}

function reasonOf(told: readonly HandedOut[], { id }: TodoItem): string {
  const found = told.find(({ todo }) => todo === id);
  return `not handed out: ${found?.explanation ?? "refused"}`;
}

function putBack(
  item: TodoItem,
  { list, reason }: { readonly list: TodoList; readonly reason: string },
): TodoItem {
  const before = list.views.find(({ id }) => id === item.id);
  const status = before === undefined || before.status === "delegated" ? "pending" : before.status;
  return { ...item, status, blocked: { reason } };
}

function refused(problems: readonly TodoProblem[], warnings: readonly string[]): object {
  return {
    accepted: false,
    codes: [...new Set(problems.map(({ code }) => code))],
    problems: problems.map(({ code, message }) => ({ code, message })),
    warnings,
    advice: "Nothing was changed. Correct what is named and send it again.",
  };
}

function tooLarge(bytes: number): TodoProblem {
  return { code: "TOO_LARGE", message: `The list has ${bytes} bytes; at most ${MOST_BYTES} are allowed` };
}

function advise(
  isLedFromOutside: boolean,
  { handedOut, views }: { readonly handedOut: readonly HandedOut[]; readonly views: readonly TodoView[] },
): string {
  if (handedOut.some(({ admitted }) => !admitted))
    return "Some were not handed out; explanation says why. Change them, or do them yourself.";
  const isOpen = views.some(({ worker }) => worker !== null && worker.state !== "closed");
  if (!isOpen) return "";
  return isLedFromOutside
    ? "They are at work. Wait for them with wait; complete each task when it is proven."
    : "They are at work. Wait for them with wait, or end your turn without a return; complete each task when it is proven.";
}
