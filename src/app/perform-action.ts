import { describeSchemaIssues } from "../base/schema-issues.ts";
import { setTimeout as delay } from "node:timers/promises";
import { DelegationError } from "../base/delegation-error.ts";
import { dashboardErrors } from "../errors/dashboard.ts";
import type { AppContext } from "./project/app-context.ts";
import { isTaskOperation, type DescribedOperation } from "./tasks/describe-operation.ts";
import { useCases } from "./use-cases.ts";
import type { ActionResult } from "./view-types.ts";
import { actionSchema, MAX_TEXT_LENGTH, type Action } from "./views/action.ts";

type ActionOf<Kind extends Action["kind"]> = Extract<Action, { readonly kind: Kind }>;

/** Does what a person asks for on a page: checks the page's words and calls the use case of the same name. */
export async function performAction(context: AppContext, body: unknown): Promise<ActionResult> {
  const parsed = actionSchema().safeParse(body);
  if (!parsed.success) throw dashboardErrors.actionNotUnderstood(describeSchemaIssues(parsed.error));
  const action = parsed.data;
  const { kind } = action;
  switch (kind) {
    case "approve":
      return answerQuestion(context, action, { answer: "approved", reason: action.reason });
    case "reject":
      return answerQuestion(context, action, { answer: "rejected", reason: action.reason });
    case "reply":
      return answerQuestion(context, action, { answer: "replied", reason: action.text });
    case "unblock":
      return unblockStory(context, action);
    case "stop":
      return stopWork(context, action);
    case "resume":
    case "retry":
      return continueWork(context, action);
    case "message":
      return sendMessage(context, action);
    case "task-status":
      return changeTask(context, action);
    case "start-story":
      return startStory(context, action);
    case "merge":
      return mergeStory(context, action);
    case "merge-undo":
      return undoMerge(context, action);
    case "run-task":
      return runTask(context, action);
    case "add-task":
      return addTask(context, action);
  }
}

interface GivenAnswer {
  readonly answer: "approved" | "rejected" | "replied";
  readonly reason: string | undefined;
}

async function answerQuestion(
  context: AppContext,
  { kind, approval }: ActionOf<"approve" | "reject" | "reply">,
  given: GivenAnswer,
): Promise<ActionResult> {
  await (await useCases.answer()).run(context, { id: approval, exact: true, ...given });
  return describeResult(kind, `${approval} is ${given.answer}.`);
}

async function unblockStory(
  context: AppContext,
  { kind, id: old, text: reason }: ActionOf<"unblock">,
): Promise<ActionResult> {
  const { story } = await (await useCases.answer()).run(context, { id: old, answer: "replied", reason });
  return { kind, message: `${story} continues ${old} with your answer.`, run: story };
}

/** A worker may take as long as it is allowed to wind down; the page sees its end when it comes. */
const MAX_STOP_WAIT_MS = 500;

async function stopWork(
  context: AppContext,
  { kind, id: wanted, reason }: ActionOf<"stop">,
): Promise<ActionResult> {
  const stopping = (await useCases.stop()).run(context, { id: wanted, reason: reason || undefined });
  // It may fail after the page has been told that the work is stopping.
  stopping.catch(() => undefined);
  await Promise.race([stopping, delay(MAX_STOP_WAIT_MS)]);
  return describeResult(kind, `${wanted} is stopping; its work is kept.`);
}

async function continueWork(
  context: AppContext,
  { id: old, kind, note, ...limits }: ActionOf<"resume" | "retry">,
): Promise<ActionResult> {
  const changes = { ...limits, ...(note === undefined || note === "" ? {} : { note }) };
  const { story } = await (await useCases[kind]()).run(context, { id: old, changes, detach: true });
  const what = kind === "resume" ? "continues" : "starts over for";
  return { kind, message: `${story} ${what} ${old}.`, run: story };
}

async function sendMessage(context: AppContext, action: ActionOf<"message">): Promise<ActionResult> {
  const words = addPlace(action).slice(0, MAX_TEXT_LENGTH);
  const send = await useCases["message send"]();
  const { advice = "" } = await send.run(context, { to: action.id, text: words, waitSeconds: 0 });
  return describeResult(action.kind, `Sent to ${action.id}: ${advice}.`);
}

/** A comment on a line of the diff says first which line it is about. */
function addPlace({ text: words, path, line }: ActionOf<"message">): string {
  if (path === undefined) return words;
  return `About ${path}${line === undefined ? "" : `:${line}`}: ${words}`;
}

/** Edits by hand are taken over together with the change, so the person confirms them first. */
async function changeTask(
  context: AppContext,
  { kind, task, status, confirmed = false }: ActionOf<"task-status">,
): Promise<ActionResult> {
  const setStatus = await useCases["task status"]();
  if (!confirmed) {
    const { imported, conflicts } = await setStatus.run(context, { tasks: task, status, dryRun: true });
    const count = imported.length + conflicts;
    if (count > 0) throw dashboardErrors.tasksDiffer(count);
  }
  return reportChange(kind, await setStatus.run(context, { tasks: task, status }));
}

async function startStory(
  context: AppContext,
  { kind, story: draft }: ActionOf<"start-story">,
): Promise<ActionResult> {
  const { story } = await (await useCases.run()).run(context, { story: draft, detach: true });
  return { kind, message: `${story} has started.`, run: story };
}

async function mergeStory(
  context: AppContext,
  { kind, story, tip, squash }: ActionOf<"merge">,
): Promise<ActionResult> {
  const merged = await (await useCases.merge()).run(context, { id: story, tip, squash });
  switch (merged.status) {
    case "merged":
      return describeResult(kind, `${story} is in ${merged.branch}. Undo takes it back.`);
    case "conflict":
      throw dashboardErrors.mergeConflict(story, merged.branch, merged.files);
    case "already-merged":
    case "no-story":
      return describeResult(kind, `${story} has nothing that is not merged.`);
  }
}

async function undoMerge(
  context: AppContext,
  { kind, story }: ActionOf<"merge-undo">,
): Promise<ActionResult> {
  const { branch = "" } = await (await useCases["merge undo"]()).run(context, { id: story });
  return describeResult(kind, `${story} is no longer in ${branch}; its own branch still has it.`);
}

async function runTask(context: AppContext, { kind, task }: ActionOf<"run-task">): Promise<ActionResult> {
  const started = await (await useCases["run task"]()).run(context, { task, story: {}, detach: true });
  if (isTaskOperation(started)) return reportChange(kind, started);
  return { kind, message: `${started.story} works on task ${task}.`, run: started.story };
}

async function addTask(
  context: AppContext,
  { kind, title, description }: ActionOf<"add-task">,
): Promise<ActionResult> {
  const fields = description === undefined || description === "" ? {} : { description };
  return reportChange(kind, await (await useCases["task add"]()).run(context, { title, ...fields }));
}

/** A change of tasks that failed was rolled back. */
function reportChange(
  kind: ActionResult["kind"],
  { error, summary }: Pick<DescribedOperation, "error" | "summary">,
): ActionResult {
  if (error !== undefined) throw new DelegationError(error);
  return describeResult(kind, summary);
}

function describeResult(kind: ActionResult["kind"], message: string): ActionResult {
  return { kind, message, run: null };
}
