import * as z from "zod";
import { artifactSchema } from "./agent-return.ts";
import { filledText, lenientNumber, nullsAbsent } from "./lenient.ts";
import { prioritySchema } from "./priority.ts";
import type { TodoStatus } from "./todo-item.ts";

export const taskStatuses = [
  "not_started",
  "researching",
  "researched",
  "planning",
  "planned",
  "revising",
  "revised",
  "implementing",
  "completed",
  "partial",
  "blocked",
  "on_hold",
  "abandoned",
  "expanded",
] as const;
export type TaskStatus = (typeof taskStatuses)[number];

/** Work may stop, pause or be divided from every state that is not an end. */
const leave = ["blocked", "on_hold", "abandoned", "expanded"] as const;
/** What a paused task may return to: any point of the work, but not straight to its end. */
const resume = [
  "not_started",
  "researching",
  "researched",
  "planning",
  "planned",
  "revising",
  "revised",
  "implementing",
  "partial",
] as const;

/** The one table of status changes; the command line, MCP and dashboard all ask it. */
export const taskTransitions: Readonly<Record<TaskStatus, readonly TaskStatus[]>> = {
  not_started: ["researching", "planning", "implementing", ...leave],
  researching: ["researched", ...leave],
  researched: ["researching", "planning", "implementing", ...leave],
  planning: ["planned", ...leave],
  planned: ["researching", "revising", "implementing", ...leave],
  revising: ["revised", ...leave],
  revised: ["researching", "revising", "implementing", ...leave],
  implementing: ["completed", "partial", ...leave],
  partial: ["researching", "planning", "revising", "implementing", "completed", ...leave],
  blocked: [...resume, "on_hold", "abandoned", "expanded"],
  on_hold: [...resume, "blocked", "abandoned", "expanded"],
  completed: [],
  expanded: [],
  abandoned: ["not_started"],
};

/** Keeping a status is always allowed: it is how a timed-out research is taken up again. */
export function canMoveTask(from: TaskStatus, to: TaskStatus): boolean {
  return from === to || taskTransitions[from].includes(to);
}

const inProgress: ReadonlySet<TaskStatus> = new Set([
  "researching",
  "planning",
  "revising",
  "implementing",
  "partial",
]);

/** What the sources call IN PROGRESS (C20). */
export function isInProgress(status: TaskStatus): boolean {
  return inProgress.has(status);
}

const todoView: Readonly<Record<TaskStatus, Exclude<TodoStatus, "delegated"> | undefined>> = {
  not_started: "pending",
  researching: "in_progress",
  researched: "in_progress",
  planning: "in_progress",
  planned: "in_progress",
  revising: "in_progress",
  revised: "in_progress",
  implementing: "in_progress",
  partial: "in_progress",
  blocked: "in_progress",
  on_hold: "pending",
  completed: "completed",
  abandoned: undefined,
  expanded: undefined,
};

/** The four-state view of a manager's list; abandoned and expanded tasks are no longer on it. */
export function todoStatusOf(status: TaskStatus, hasOpenDelegation: boolean): TodoStatus | undefined {
  const view = todoView[status];
  return hasOpenDelegation && view !== undefined && view !== "completed" ? "delegated" : view;
}

/** How a criterion is proven; `manual` is decided by the manager or a person, never by its worker. */
export const criterionCheckSchema = z.union([
  z.strictObject({ command: filledText }),
  z.strictObject({ file: filledText }),
  z.strictObject({ changed: filledText }),
  z.strictObject({ manual: z.literal(true) }),
]);

export const criterionVerdicts = ["unverified", "passed", "failed", "waived"] as const;

/** Who may decide about a criterion; the runtime knows which of them it heard, whatever they say of themselves. */
const deciderRoles = ["person", "manager", "reviewer"] as const;

const deciderSchema = z.strictObject({ role: z.enum(deciderRoles), id: filledText });

/** What a check found, for programs; `evidence` says the same to people. */
const criterionProofSchema = z.discriminatedUnion("kind", [
  z.strictObject({
    kind: z.literal("command"),
    command: filledText,
    exit_code: z.int().nullable(),
    signal: z.string().nullable(),
    duration_ms: z.number().min(0),
    /** The end of what it wrote, control characters made visible. */
    output: z.string(),
    log: z.string().nullable(),
  }),
  z.strictObject({ kind: z.literal("file"), path: filledText, bytes: z.int().min(0).nullable() }),
  z.strictObject({
    kind: z.literal("changed"),
    pattern: filledText,
    matches: z.int().min(0),
    paths: z.array(z.string()),
  }),
]);

export const criterionSchema = nullsAbsent(
  z.object({
    id: filledText,
    text: filledText,
    /** Only what is required holds up acceptance; the rest is told. */
    required: z.boolean().default(true),
    check: criterionCheckSchema.optional(),
    verdict: z.enum(criterionVerdicts).default("unverified"),
    evidence: z.string().optional(),
    proof: criterionProofSchema.optional(),
    decided_by: deciderSchema.optional(),
    reason: filledText.optional(),
  }),
);

/** Ids are text; numbers are read as their text (C37). */
const taskId = z.preprocess((value) => (Number.isSafeInteger(value) ? String(value) : value), filledText);
const taskIds = z.array(taskId).default([]);

/** One work item of the task store. */
export const taskSchema = nullsAbsent(
  z.object({
    id: taskId,
    number: lenientNumber(z.int().min(1)).optional(),
    title: filledText,
    description: z.string().default(""),
    language: filledText.default("general"),
    status: z.enum(taskStatuses).default("not_started"),
    priority: prioritySchema.default("medium"),
    criteria: z.array(criterionSchema).default([]),
    dependencies: taskIds,
    parent: taskId.optional(),
    subtasks: taskIds,
    artifacts: z.array(artifactSchema).default([]),
  }),
);

export type CriterionCheck = z.infer<typeof criterionCheckSchema>;
export type CriterionVerdict = (typeof criterionVerdicts)[number];
export type CriterionProof = z.infer<typeof criterionProofSchema>;
export type CriterionDecider = z.infer<typeof deciderSchema>;
export type Criterion = z.infer<typeof criterionSchema>;
export type Task = z.infer<typeof taskSchema>;
