import * as z from "zod";
import { artifactSchema } from "./agent-return.ts";
import { filledText, lenientNumber, nullsAbsent } from "./lenient.ts";
import { prioritySchema } from "./priority.ts";
import { taskStatuses } from "./task-status.ts";

export { canMoveTask, isInProgress, type TaskStatus, taskStatuses, taskTransitions } from "./task-status.ts";
export { checkMeanings, type CheckMeaning, type WorkProof, workProofs } from "./work-proof.ts";

/** How a criterion is proven; `manual` is decided by the manager or a person, never by its worker. */
export const criterionCheckSchema = z.union([
  z.strictObject({
    command: filledText,
    timeoutSeconds: z.int().min(1).max(14_400).optional().describe("Instead of verification.timeoutSeconds"),
    retries: z.int().min(0).max(5).optional().describe("Instead of verification.retries"),
  }),
  z.strictObject({ file: filledText }),
  z.strictObject({ changed: filledText }),
  z.strictObject({ manual: z.literal(true) }),
]);

export const criterionVerdicts = ["unverified", "passed", "failed", "waived"] as const;

/**
 * The roles that may decide about a criterion; the runtime knows the decider's role from its token, not from its
 * words.
 */
const deciderRoles = ["person", "manager", "reviewer"] as const;

const deciderSchema = z.strictObject({ role: z.enum(deciderRoles), id: filledText });

/** The outcome of a check, for programs; `evidence` says the same to people. */
const criterionProofSchema = z.discriminatedUnion("kind", [
  z.strictObject({
    kind: z.literal("command"),
    command: filledText,
    exit_code: z.int().nullable(),
    signal: z.string().nullable(),
    duration_ms: z.number().min(0),
    /** The end of its output, with control characters made visible. */
    output: z.string(),
    log: z.string().nullable(),
    /** The names of the tests that failed, where the output names them. */
    failing: z.array(z.string()).optional(),
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
    /** Only required criteria block acceptance; the others are reported. */
    required: z.boolean().default(true),
    check: criterionCheckSchema.optional(),
    verdict: z.enum(criterionVerdicts).default("unverified"),
    evidence: z.string().optional(),
    proof: criterionProofSchema.optional(),
    decided_by: deciderSchema.optional(),
    reason: filledText.optional(),
    /** Set where a worker wrote it: its command runs only in a sandbox. Absent in older journals. */
    origin: z.literal("worker").optional(),
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
