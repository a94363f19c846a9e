import { setTimeout as delay } from "node:timers/promises";
import * as z from "zod";
import { DelegationError } from "../base/delegation-error.ts";
import { dashboardErrors } from "../errors/dashboard.ts";
import { openProjectTasks } from "../orchestrator/project-tasks.ts";
import type { SupervisorClient } from "../supervisor/client.ts";
import type { AppContext } from "./project/app-context.ts";
import { withSupervisor } from "./project/connect-supervisor.ts";
import type { ActionResult } from "./view-types.ts";

const MAX_TEXT_LENGTH = 4000;
const id = z.string().min(1).max(400);
const text = z.string().trim().min(1).max(MAX_TEXT_LENGTH);
const optionalText = z.string().max(MAX_TEXT_LENGTH).optional();

const actionSchema = z.discriminatedUnion("kind", [
  z.strictObject({ kind: z.literal("approve"), approval: id, reason: optionalText }),
  z.strictObject({ kind: z.literal("reject"), approval: id, reason: text }),
  z.strictObject({ kind: z.literal("reply"), approval: id, text }),
  z.strictObject({ kind: z.literal("stop"), id, reason: optionalText }),
  z.strictObject({ kind: z.literal("resume"), id, note: optionalText }),
  z.strictObject({ kind: z.literal("retry"), id, note: optionalText }),
  z.strictObject({
    kind: z.literal("message"),
    id,
    text,
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
type ActionOf<Kind extends Action["kind"]> = Extract<Action, { readonly kind: Kind }>;
type SupervisorAction = Exclude<Action, { readonly kind: "task-status" }>;

export interface ActionPlace {
  readonly context: AppContext;
  /** `tasks.dir`. */
  readonly tasksDir: string;
}

/** Does what a person asks for on a page, with the same calls as the commands of the same name. */
export async function performAction(place: ActionPlace, body: unknown): Promise<ActionResult> {
  const parsed = actionSchema.safeParse(body);
  if (!parsed.success) throw dashboardErrors.actionNotUnderstood(z.prettifyError(parsed.error));
  const action = parsed.data;
  if (action.kind === "task-status") return changeTask(place, action);
  return withSupervisor(place.context, (client) => callSupervisor(client, action));
}

const BY = "person";

async function callSupervisor(client: SupervisorClient, action: SupervisorAction): Promise<ActionResult> {
  const { kind } = action;
  switch (kind) {
    case "approve":
      return answer(client, action, { answer: "approved", reason: action.reason ?? "" });
    case "reject":
      return answer(client, action, { answer: "rejected", reason: action.reason });
    case "reply":
      return answer(client, action, { answer: "replied", reason: action.text });
    case "stop":
      return stopWork(client, action);
    case "resume":
      return followUp(client, action, "work");
    case "retry":
      return followUp(client, action, "base");
    case "message":
      return sendMessage(client, action);
  }
}

async function answer(
  client: SupervisorClient,
  { kind, approval }: ActionOf<"approve" | "reject" | "reply">,
  given: { readonly answer: "approved" | "rejected" | "replied"; readonly reason: string },
): Promise<ActionResult> {
  await client.call("answer", { approval, ...given, by: BY });
  return describeResult(kind, `${approval} is ${given.answer}.`);
}

/** A worker may take as long as it is allowed to wind down; the page sees its end when it comes. */
const STOP_WAIT_MS = 500;

async function stopWork(
  client: SupervisorClient,
  { kind, id: wanted, reason = "" }: ActionOf<"stop">,
): Promise<ActionResult> {
  const call = client.call("stop", { id: wanted, reason: reason || "asked by a person", by: BY });
  // The answer may come after the page has been told that the work is stopping.
  call.catch(() => undefined);
  await Promise.race([call, delay(STOP_WAIT_MS)]);
  return describeResult(kind, `${wanted} is stopping; its work is kept.`);
}

const startedSchema = z.object({ story: z.string() });

async function followUp(
  client: SupervisorClient,
  { id: old, kind, note = "" }: ActionOf<"resume" | "retry">,
  from: "work" | "base",
): Promise<ActionResult> {
  const { story } = startedSchema.parse(await client.call("follow-up", { id: old, from, note }));
  const what = kind === "resume" ? "continues" : "starts over for";
  return { kind, message: `${story} ${what} ${old}.`, run: story };
}

const sentSchema = z.object({ advice: z.string() });

async function sendMessage(client: SupervisorClient, action: ActionOf<"message">): Promise<ActionResult> {
  const words = addPlace(action).slice(0, MAX_TEXT_LENGTH);
  const { advice } = sentSchema.parse(await client.call("message", { to: action.id, text: words, by: BY }));
  return describeResult(action.kind, `Sent to ${action.id}: ${advice}.`);
}

/** A comment on a line of the diff says first which line it is about. */
function addPlace({ text: words, path, line }: ActionOf<"message">): string {
  if (path === undefined) return words;
  return `About ${path}${line === undefined ? "" : `:${line}`}: ${words}`;
}

async function changeTask(
  { context, tasksDir }: ActionPlace,
  { kind, task, status, confirmed = false }: ActionOf<"task-status">,
): Promise<ActionResult> {
  const { directory: projectRoot, environment, homeDirectory } = context;
  const host = { searchPath: environment["PATH"] ?? "/usr/bin:/bin", home: homeDirectory ?? "/" };
  const tasks = openProjectTasks({ projectRoot, dir: tasksDir, host });
  if (!confirmed) {
    const { imported, conflicts } = await tasks.change(task, { status }, { dryRun: true });
    const count = imported.length + conflicts.length;
    if (count > 0) throw dashboardErrors.tasksDiffer(count);
  }
  const { failures, summary } = await tasks.change(task, { status });
  const [failure] = failures;
  if (failure !== undefined) throw new DelegationError(failure);
  return describeResult(kind, summary);
}

function describeResult(kind: ActionResult["kind"], message: string): ActionResult {
  return { kind, message, run: null };
}
