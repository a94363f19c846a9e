import * as z from "zod";
import { DelegationError } from "../../base/delegation-error.ts";
import type { SupervisorClient } from "../../supervisor/client.ts";
import { ensureSupervisor, type EnsureOptions } from "../../supervisor/ensure-supervisor.ts";
import { openProjectTasks } from "../../orchestrator/project-tasks.ts";
import type { GitHost } from "../../workspace/repository.ts";
import { setTimeout as delay } from "node:timers/promises";
import type { ActionResult } from "../wire.ts";

const LONGEST = 4000;
const id = z.string().min(1).max(400);
const words = z.string().trim().min(1).max(LONGEST);
const wish = z.string().max(LONGEST);

const actionSchema = z.discriminatedUnion("kind", [
  z.strictObject({ kind: z.literal("approve"), approval: id, reason: wish.optional() }),
  z.strictObject({ kind: z.literal("reject"), approval: id, reason: words }),
  z.strictObject({ kind: z.literal("reply"), approval: id, text: words }),
  z.strictObject({ kind: z.literal("stop"), id, reason: wish.optional() }),
  z.strictObject({ kind: z.literal("resume"), id, note: wish.optional() }),
  z.strictObject({ kind: z.literal("retry"), id, note: wish.optional() }),
  z.strictObject({
    kind: z.literal("message"),
    id,
    text: words,
    path: z.string().min(1).max(4096).optional(),
    line: z.int().min(1).optional(),
  }),
  z.strictObject({
    kind: z.literal("task-status"),
    task: id,
    status: z.string().min(1).max(40),
    confirmed: z.boolean().optional(),
  }),
]);

type Action = z.infer<typeof actionSchema>;

export interface ActionTools {
  readonly supervisor: EnsureOptions;
  readonly tasksDir: string;
  readonly host: GitHost;
}

/** Does what a person asked for, by the same calls as the commands of the same name. */
export async function perform(tools: ActionTools, body: unknown): Promise<ActionResult> {
  const parsed = actionSchema.safeParse(body);
  if (!parsed.success) throw notUnderstood(z.prettifyError(parsed.error));
  const action = parsed.data;
  if (action.kind === "task-status") return changeTask(tools, action);
  const client = await ensureSupervisor(tools.supervisor);
  try {
    return await callSupervisor(client, action);
  } finally {
    client.close();
  }
}

type SupervisorAction = Exclude<Action, { readonly kind: "task-status" }>;
const BY = "person";

async function callSupervisor(client: SupervisorClient, action: SupervisorAction): Promise<ActionResult> {
  const { kind } = action;
  switch (kind) {
    case "approve":
      return answer(client, kind, {
        approval: action.approval,
        answer: "approved",
        reason: action.reason ?? "",
      });
    case "reject":
      return answer(client, kind, { approval: action.approval, answer: "rejected", reason: action.reason });
    case "reply":
      return answer(client, kind, { approval: action.approval, answer: "replied", reason: action.text });
    case "stop":
      return stop(client, action);
    case "resume":
      return followUp(client, action, "work");
    case "retry":
      return followUp(client, action, "base");
    case "message":
      return tell(client, action);
  }
}

async function answer(
  client: SupervisorClient,
  kind: ActionResult["kind"],
  given: { readonly approval: string; readonly answer: string; readonly reason: string },
): Promise<ActionResult> {
  await client.call("answer", { ...given, by: BY });
  return done(kind, `${given.approval} is ${given.answer}.`);
}

/** Its end may take as long as its worker may; it is seen when it comes. */
const STOP_TOLD_MS = 500;

async function stop(
  client: SupervisorClient,
  { kind, id: wanted, reason = "" }: Extract<Action, { readonly kind: "stop" }>,
): Promise<ActionResult> {
  const call = client.call("stop", { id: wanted, reason: reason || "asked by a person", by: BY });
  // Once it is told, nobody waits for the answer any more.
  call.catch(() => undefined);
  await Promise.race([call, delay(STOP_TOLD_MS)]);
  return done(kind, `${wanted} is stopping; its work is kept.`);
}

const startedSchema = z.object({ story: z.string() });

async function followUp(
  client: SupervisorClient,
  action: Extract<Action, { readonly kind: "resume" | "retry" }>,
  from: "work" | "base",
): Promise<ActionResult> {
  const { id: old, kind, note = "" } = action;
  const { story } = startedSchema.parse(await client.call("follow-up", { id: old, from, note }));
  return {
    kind,
    message: `${story} ${kind === "resume" ? "goes on from" : "begins anew for"} ${old}.`,
    run: story,
  };
}

const sentSchema = z.object({ advice: z.string() });

async function tell(client: SupervisorClient, action: Message): Promise<ActionResult> {
  const text = placed(action).slice(0, LONGEST);
  const { advice } = sentSchema.parse(await client.call("message", { to: action.id, text, by: BY }));
  return done(action.kind, `Sent to ${action.id}: ${advice}.`);
}

type Message = Extract<Action, { readonly kind: "message" }>;

/** A comment says what it is about before what it says. */
function placed({ text, path, line }: Message): string {
  if (path === undefined) return text;
  return `About ${path}${line === undefined ? "" : `:${line}`}: ${text}`;
}

async function changeTask(
  { supervisor, tasksDir, host }: ActionTools,
  { kind, task, status, confirmed = false }: Extract<Action, { readonly kind: "task-status" }>,
): Promise<ActionResult> {
  const tasks = openProjectTasks({ projectRoot: supervisor.projectRoot, dir: tasksDir, host });
  if (!confirmed) {
    const { imported, conflicts } = await tasks.change(task, { status }, { dryRun: true });
    if (imported.length + conflicts.length > 0) throw filesDiffer(imported.length + conflicts.length);
  }
  const operation = await tasks.change(task, { status });
  const [failure] = operation.failures;
  if (failure !== undefined) throw new DelegationError(failure);
  return done(kind, operation.summary);
}

function done(kind: ActionResult["kind"], message: string): ActionResult {
  return { kind, message, run: null };
}

function filesDiffer(count: number): DelegationError {
  return new DelegationError({
    code: "TASKS_DIFFER",
    message: `The task files were edited by hand since they last agreed: ${count} change(s) are taken over first.`,
    recommendation: "Confirm to take them over and change the status.",
    recoverable: true,
  });
}

function notUnderstood(why: string): DelegationError {
  return new DelegationError({
    code: "USAGE",
    message: `The action is not understood: ${why}`,
    recommendation: "Load the page again; it may be older than the program.",
  });
}
