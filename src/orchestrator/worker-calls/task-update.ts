import * as z from "zod";
import { countThings } from "../../base/count-things.ts";
import type { TodoItem, TodoProblem } from "../../contract/todo-item.ts";
import { explainFailure } from "../../guards/verdict.ts";
import { buildTodoDocument, type TodoView } from "../../journal/todo-view.ts";
import { redactValue } from "../../redaction/redact.ts";
import type { Admission } from "../../journal/store.ts";
import { readCaller } from "../calls/read-caller.ts";
import type { EngineCalls } from "../live/engine-calls.ts";
import type { Caller } from "../live/live-attempts.ts";
import { isExternalManager } from "../delegation/kind.ts";
import { recordEvent } from "../delegation/record.ts";
import { pickStoryTools } from "../delegation/story-tools.ts";
import { checkOwnWork } from "../todos/check-own.ts";
import { planUpdate, type TodoPlan } from "../todos/plan-update.ts";
import { readTodoList, type TodoList } from "../todos/read-todos.ts";
import { listUnproven } from "../todos/unproven.ts";
import { identifyCaller, readFields, runWhileLive } from "./caller.ts";
import { keepOwnWork } from "./keep-own-work.ts";

const updateSchema = z.strictObject({ todos: z.unknown() });
const MAX_BYTES = 256 * 1024;

/**
 * A manager updates its task list, all of it or the tasks that change (R164). A task that becomes `delegated` goes to its
 * worker here; taking it back stops that worker; a worker's task is completed only when its criteria are met (R173). With
 * any problem in the list, nothing is changed.
 */
export async function workerUpdatesTasks(engine: EngineCalls, input: unknown): Promise<object> {
  const { caller, fields } = identifyCaller(engine, input);
  const { todos } = readFields(updateSchema, fields);
  return updateTodos(engine, caller, todos);
}

export async function updateTodos(engine: EngineCalls, caller: Caller, given: unknown): Promise<object> {
  const { value, count } = redactValue(parseIfText(given));
  const bytes = Buffer.byteLength(JSON.stringify(value) ?? "");
  if (bytes > MAX_BYTES) return refuseUpdate([describeTooLarge(bytes)], []);
  const red = await checkOwnTasks(engine, caller, value);
  if (red.length > 0) return refuseUpdate(red, []);
  const done = await runWhileLive(engine, caller, () => applyUpdate(engine, caller, value));
  if (done.kind === "refused") return refuseUpdate(done.problems, done.plan.warnings);
  const { plan, list, stopped } = done;
  await Promise.all(stopped);
  const handedOut = await delegateTasks(engine, caller, { plan, list });
  const now = await readTodoList(engine.tools, await readCaller(engine, caller));
  return {
    accepted: true,
    codes: [],
    problems: [],
    warnings: [
      ...plan.warnings,
      ...(count === 0
        ? []
        : [`${countThings(count, "credential")} ${count === 1 ? "was" : "were"} removed.`]),
    ],
    delegations: handedOut,
    todos: now.views.map(buildTodoDocument),
    advice: adviseManager(isExternalManager(await readCaller(engine, caller)), {
      handedOut,
      views: now.views,
    }),
  };
}

/** Parses first, because credentials are searched in single texts. Invalid JSON is refused as it is. */
function parseIfText(given: unknown): unknown {
  if (typeof given !== "string") return given;
  try {
    const parsed: unknown = JSON.parse(given);
    return parsed;
  } catch {
    // The plan reports this with a code.
    return given;
  }
}

/** Runs before the list changes, and without blocking the caller's other calls, because checks may take long. */
async function checkOwnTasks(
  engine: EngineCalls,
  caller: Caller,
  given: unknown,
): Promise<readonly TodoProblem[]> {
  const { tools } = engine;
  const list = await readTodoList(tools, await readCaller(engine, caller));
  const { ownWork, problems } = planUpdate({ given, ...list, nowMs: tools.clock.wallMs() });
  const wanted = ownWork.filter(({ acceptance_criteria: criteria = [] }) => criteria.length > 0);
  if (problems.length > 0 || wanted.length === 0 || isExternalManager(await readCaller(engine, caller)))
    return [];
  // No caller waits for the answer once the caller has ended.
  const abort = new AbortController();
  void engine.live.whenLeft(caller.id).then(() => abort.abort());
  const { signal } = abort;
  const manager = await keepOwnWork(engine, caller);
  return checkOwnWork(await pickStoryTools(tools, manager.story), manager, { todos: wanted, signal });
}

type Written =
  | { readonly kind: "refused"; readonly problems: readonly TodoProblem[]; readonly plan: TodoPlan }
  | {
      readonly kind: "written";
      readonly plan: TodoPlan;
      readonly list: TodoList;
      readonly stopped: readonly Promise<void>[];
    };

async function applyUpdate(engine: EngineCalls, caller: Caller, given: unknown): Promise<Written> {
  const { tools } = engine;
  const manager = await readCaller(engine, caller);
  const list = await readTodoList(tools, manager);
  const plan = planUpdate({ given, ...list, nowMs: tools.clock.wallMs() });
  const unproven = await Promise.all(plan.completing.map((todo) => listUnproven(tools, todo)));
  const problems = [...plan.problems, ...unproven.flat()];
  if (problems.length > 0) return { kind: "refused", problems, plan };
  await recordTodos(engine, caller, plan.changed);
  const why = { reason: "its manager took the task back", by: caller.id };
  // The stops begin while the caller is known to run, and are not awaited here: a worker may take long to end.
  const stopped = plan.recalled.flatMap(({ worker }) =>
    worker === null ? [] : [engine.stop(worker.id, why)],
  );
  return { kind: "written", plan, list, stopped };
}

async function recordTodos(
  engine: EngineCalls,
  { id, attempt }: Caller,
  todos: readonly TodoItem[],
): Promise<void> {
  if (todos.length === 0) return;
  const { story } = await engine.read(id);
  const data = { todos: [...todos] };
  await recordEvent(engine.tools, { id, story, attempt }, { type: "todos-updated", data });
}

interface TaskAdmission {
  readonly todo: string;
  readonly admitted: boolean;
  readonly delegation_id: string | null;
  readonly codes: readonly string[];
  readonly explanation: string;
}

/** The same admission and guards as for any other request; a refused task returns to its state, with the reason. */
async function delegateTasks(
  engine: EngineCalls,
  caller: Caller,
  { plan, list }: { readonly plan: TodoPlan; readonly list: TodoList },
): Promise<readonly TaskAdmission[]> {
  if (plan.handOut.length === 0) return [];
  const admissions = await engine.delegate(caller, { tasks: plan.handOut.map(buildRequest) });
  const told = plan.handOut.map((item, index) => describeAdmission(item, admissions[index]));
  const back = plan.handOut
    .filter((_, index) => told[index]?.admitted === false)
    .map((item) => putTaskBack(item, { list, reason: explainRefusal(told, item) }));
  if (back.length > 0) await runWhileLive(engine, caller, () => recordTodos(engine, caller, back));
  return told;
}

function buildRequest(item: TodoItem): object {
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

function describeAdmission({ id }: TodoItem, admission: Admission | undefined): TaskAdmission {
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

function explainRefusal(told: readonly TaskAdmission[], { id }: TodoItem): string {
  const found = told.find(({ todo }) => todo === id);
  return `not delegated: ${found?.explanation ?? "refused"}`;
}

function putTaskBack(
  item: TodoItem,
  { list, reason }: { readonly list: TodoList; readonly reason: string },
): TodoItem {
  const before = list.views.find(({ id }) => id === item.id);
  const status = before === undefined || before.status === "delegated" ? "pending" : before.status;
  return { ...item, status, blocked: { reason } };
}

function refuseUpdate(problems: readonly TodoProblem[], warnings: readonly string[]): object {
  return {
    accepted: false,
    codes: [...new Set(problems.map(({ code }) => code))],
    problems: problems.map(({ code, message }) => ({ code, message })),
    warnings,
    advice: "Nothing was changed. Correct the problems and send it again.",
  };
}

function describeTooLarge(bytes: number): TodoProblem {
  return { code: "TOO_LARGE", message: `The list has ${bytes} bytes; at most ${MAX_BYTES} are allowed` };
}

function adviseManager(
  isExternal: boolean,
  { handedOut, views }: { readonly handedOut: readonly TaskAdmission[]; readonly views: readonly TodoView[] },
): string {
  if (handedOut.some(({ admitted }) => !admitted))
    return "Some were not delegated; explanation says why. Change them, or do them yourself.";
  const isOpen = views.some(({ worker }) => worker !== null && worker.state !== "closed");
  if (!isOpen) return "";
  return isExternal
    ? "They are at work. Wait for them with wait; complete each task when it is proven."
    : "They are at work. Wait for them with wait, or end your turn without a return; complete each task when it is proven.";
}
