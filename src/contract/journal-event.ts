import * as z from "zod";
import { keptErrorsSchema } from "./agent-return.ts";
import { approvalAnswers, approvalKinds, surfaces } from "./approval.ts";
import { checkEndedSchema, checkStartedSchema } from "./check-event.ts";
import { limitsSchema } from "./limits.ts";
import { markedStates } from "./message-state.ts";
import { outcomes } from "./outcome.ts";
import { reviewSchema } from "./review.ts";
import { settledWorkflowSchema } from "./settled-workflow.ts";
import { storySettingSchema } from "./story-setting.ts";
import { checkMeanings, criterionVerdicts, workProofs } from "./task.ts";
import { todoItemSchema } from "./todo-item.ts";
import { attemptCostSchema, usageSchema } from "./usage.ts";
import { turnKinds } from "./turn-kind.ts";
import { handedToSchema, workSpecSchema } from "./work-spec.ts";

const id = z.string().min(1).max(400);
const text = z.string().max(20_000);
const amount = z.int().min(0);
const budget = { budgetTokens: amount.nullable(), budgetMicroUsd: amount.nullable() };
const failure = z.strictObject({ code: z.string(), message: text });
const paths = z.array(z.string());
/** Absent in journals of versions that ran one program per story. */
const work = workSpecSchema.optional();

/** The data of each event, next to its envelope. Replay depends on nothing else. */
export const eventData = {
  "story-opened": z.strictObject({
    kind: z.enum(["story", "workflow"]),
    title: text,
    agent: z.string().max(200),
    path: z.array(z.string()),
    sessionId: z.string(),
    limits: limitsSchema,
    settings: z.array(storySettingSchema).max(200).optional(),
    scope: paths.optional(),
    work,
    ...budget,
  }),
  "delegation-admitted": z.strictObject({
    parent: id,
    parentAttempt: amount,
    number: z.int().min(1),
    depth: z.int().min(1),
    description: text,
    agent: z.string().max(200).nullable(),
    targetId: id.nullable(),
    path: z.array(z.string()),
    sessionId: z.string(),
    executionId: z.string(),
    estimatedHours: z.number().nullable(),
    contextTokens: amount,
    priority: z.int(),
    timeoutSeconds: z.int().min(1),
    scope: z.array(z.string()),
    criteria: z.array(z.string()),
    checks: z.array(z.string()),
    warnings: z.array(z.string()),
    /** The checklist item of its manager that it does. */
    todo: id.optional(),
    work,
    ...budget,
  }),
  "delegation-refused": z.strictObject({
    parent: id,
    description: text,
    agent: z.string().max(200).nullable(),
    targetId: id.nullable(),
    failures: z.array(failure),
  }),
  "attempt-started": z.strictObject({ owner: z.string().max(200), executionId: z.string() }),
  /** `machine`: it was lost with its machine, or because that left; the agent had no part in it. */
  "attempt-lost": z.strictObject({ reason: text, machine: z.literal(true).optional() }),
  "attempt-retried": z.strictObject({
    reason: text,
    kind: z.enum(turnKinds).optional(),
    /** The delay before the attempt, counted from this event. */
    afterMs: amount.optional(),
    /** The provider whose account was full: the attempt is repeated as intended and does not count as a retry. */
    provider: z.string().max(200).optional(),
    /** Another agent continues the work. */
    handedTo: handedToSchema.optional(),
  }),
  "attempt-ended": z.strictObject({
    reason: z.string(),
    exitCode: z.int().nullable(),
    code: z.string().nullable(),
    durationMs: z.number().min(0),
    /** Absent where nothing was reported. */
    cost: attemptCostSchema.optional(),
  }),
  "session-known": z.strictObject({ sessionId: z.string().max(500) }),
  "workspace-created": z.strictObject({
    path: text,
    branch: text,
    base: text,
    durationMs: z.number().min(0),
    isolation: z.enum(["worktree", "sandbox"]).optional(),
    /** The part of the user's uncommitted work that a story starts from; absent for workers, and in older journals. */
    start: z
      .strictObject({
        head: text,
        changed: amount,
        untracked: amount,
        leftOut: z.array(z.strictObject({ path: text, reason: z.string().max(100) })).max(100),
      })
      .optional(),
  }),
  "work-kept": z.strictObject({ tip: text, base: text, filesChanged: paths }),
  "workspace-removed": z.strictObject({ path: text, tip: text.nullable() }),
  "usage-reported": usageSchema,
  "context-measured": z.strictObject({ tokens: amount }),
  "limit-warned": z.strictObject({ code: z.string(), message: text }),
  "cancellation-requested": z.strictObject({ reason: text, by: z.string().max(200) }),
  "delegation-parked": z.strictObject({
    waitingFor: z.array(id),
    /** Added to its next prompt, next to the results it waited for. */
    note: text.optional(),
  }),
  "delegation-rejoined": z.strictObject({}),
  "delegation-resumed": z.strictObject({ kind: z.enum(turnKinds).optional() }),
  "return-rejected": z.strictObject({ codes: z.array(z.string()), repair: amount }),
  "delegation-returned": z.strictObject({
    status: z.string(),
    summary: text,
    artifacts: z.array(z.string()),
    errors: keptErrorsSchema.optional(),
    nextSteps: text.optional(),
    /** Of a reviewer only. */
    review: reviewSchema.optional(),
  }),
  "criterion-checked": z.strictObject({
    criterionId: z.string().max(200),
    text,
    verdict: z.enum(criterionVerdicts),
    evidence: text,
    by: z.string().max(200),
    /** Its check failed first and passed when it was repeated. */
    flaky: z.boolean().optional(),
    /** Compared with the same check on the tree that the work started from, where that is known. */
    meaning: z.enum(checkMeanings).optional(),
    newlyFailing: z.array(z.string().max(1000)).max(500).optional(),
  }),
  /** A command of a criterion begins to run on the work, or on the tree that the work started from. */
  "check-started": checkStartedSchema,
  "check-ended": checkEndedSchema,
  "delegation-verified": z.strictObject({
    passed: amount,
    failed: amount,
    unverified: amount,
    /** The planned merge: `candidate` replaces `onto` on the manager's branch. */
    candidate: text.nullable().optional(),
    onto: text.nullable().optional(),
    /** The commit that the checks ran on, where work of other workers was checked together with it. */
    checkedOn: text.optional(),
    filesChanged: paths.optional(),
    /** Checks that later merges need not keep green. */
    waived: z.array(z.string()).optional(),
    proof: z.enum(workProofs).optional(),
  }),
  "merge-refused": z.strictObject({ code: z.string(), message: text, files: paths }),
  "merge-repeated": z.strictObject({ reason: text }),
  "delegation-merged": z.strictObject({ into: text, commit: text, filesChanged: z.array(z.string()) }),
  "delegation-closed": z.strictObject({
    outcome: z.enum(outcomes),
    code: z.string().nullable(),
    summary: text,
    filesChanged: z.array(z.string()),
    /** How long it really took, where the wall clock was changed meanwhile. */
    durationMs: amount.optional(),
  }),
  "late-return-ignored": z.strictObject({ outcome: z.string(), currentAttempt: amount }),
  "message-sent": z.strictObject({
    messageId: id,
    from: id,
    to: id,
    body: z.record(z.string(), z.unknown()),
  }),
  "message-marked": z.strictObject({
    messageId: id,
    state: z.enum(markedStates),
  }),
  /** Items of its own checklist, each as it is from now on. */
  "todos-updated": z.strictObject({ todos: z.array(todoItemSchema).max(200) }),
  "task-changed": z.strictObject({
    taskId: id,
    /** Identifies one change of the task store, so that recording it again has no effect. */
    changeId: id.optional(),
    kind: z.enum(["adopted", "created", "changed", "archived", "recovered", "removed"]).optional(),
    source: z.enum(["store", "TODO.md", "state.json"]).optional(),
    /** A null removes the field. */
    fields: z.record(z.string(), z.unknown()),
  }),
  /** How a workflow command ended. Earlier versions wrote it as `task-changed`; see `settled-workflow.ts`. */
  "workflow-settled": settledWorkflowSchema,
  /** `unserved`: it waits because no machine of the cluster serves its pool; false once one does again. */
  "note-added": z.strictObject({ text, unserved: z.boolean().optional() }),
  "approval-requested": z.strictObject({
    approvalId: id,
    kind: z.enum(approvalKinds),
    question: text,
    details: z.array(text),
  }),
  "approval-answered": z.strictObject({
    approvalId: id,
    answer: z.enum(approvalAnswers),
    by: z.string().max(200),
    reason: text,
    /** Absent in older journals, and where an agent or the runtime itself answered. */
    via: z
      .strictObject({
        surface: z.enum(surfaces),
        socket: z.boolean(),
        terminal: z.boolean(),
        insideRun: z.boolean().nullable(),
      })
      .optional(),
  }),
} as const;

export type JournalEventType = keyof typeof eventData;
export type EventData<Type extends JournalEventType> = z.infer<(typeof eventData)[Type]>;

/** An event to append; the store assigns sequence number and time. */
export type NewEvent = {
  [Type in JournalEventType]: {
    readonly type: Type;
    readonly story: string;
    /** A story's root delegation has the story's own id; null where the event belongs to no delegation. */
    readonly delegation: string | null;
    readonly attempt: number;
    readonly data: EventData<Type>;
  };
}[JournalEventType];

export type JournalEvent = NewEvent & {
  readonly seq: number;
  /** ISO time, for people; order is by `seq`. */
  readonly at: string;
};

export const journalEventTypes: readonly JournalEventType[] = Object.keys(eventData).filter(isEventType);

function isEventType(value: string): value is JournalEventType {
  return Object.hasOwn(eventData, value);
}

/** The stored form of one event: what is hashed, exported and replayed. */
export const journalEventSchema = z.discriminatedUnion("type", [
  buildEnvelope("story-opened", eventData["story-opened"]),
  buildEnvelope("delegation-admitted", eventData["delegation-admitted"]),
  buildEnvelope("delegation-refused", eventData["delegation-refused"]),
  buildEnvelope("attempt-started", eventData["attempt-started"]),
  buildEnvelope("attempt-lost", eventData["attempt-lost"]),
  buildEnvelope("attempt-retried", eventData["attempt-retried"]),
  buildEnvelope("attempt-ended", eventData["attempt-ended"]),
  buildEnvelope("session-known", eventData["session-known"]),
  buildEnvelope("workspace-created", eventData["workspace-created"]),
  buildEnvelope("work-kept", eventData["work-kept"]),
  buildEnvelope("workspace-removed", eventData["workspace-removed"]),
  buildEnvelope("usage-reported", eventData["usage-reported"]),
  buildEnvelope("context-measured", eventData["context-measured"]),
  buildEnvelope("limit-warned", eventData["limit-warned"]),
  buildEnvelope("cancellation-requested", eventData["cancellation-requested"]),
  buildEnvelope("delegation-parked", eventData["delegation-parked"]),
  buildEnvelope("delegation-rejoined", eventData["delegation-rejoined"]),
  buildEnvelope("delegation-resumed", eventData["delegation-resumed"]),
  buildEnvelope("return-rejected", eventData["return-rejected"]),
  buildEnvelope("delegation-returned", eventData["delegation-returned"]),
  buildEnvelope("criterion-checked", eventData["criterion-checked"]),
  buildEnvelope("check-started", eventData["check-started"]),
  buildEnvelope("check-ended", eventData["check-ended"]),
  buildEnvelope("delegation-verified", eventData["delegation-verified"]),
  buildEnvelope("merge-refused", eventData["merge-refused"]),
  buildEnvelope("merge-repeated", eventData["merge-repeated"]),
  buildEnvelope("delegation-merged", eventData["delegation-merged"]),
  buildEnvelope("delegation-closed", eventData["delegation-closed"]),
  buildEnvelope("late-return-ignored", eventData["late-return-ignored"]),
  buildEnvelope("message-sent", eventData["message-sent"]),
  buildEnvelope("message-marked", eventData["message-marked"]),
  buildEnvelope("todos-updated", eventData["todos-updated"]),
  buildEnvelope("task-changed", eventData["task-changed"]),
  buildEnvelope("workflow-settled", eventData["workflow-settled"]),
  buildEnvelope("note-added", eventData["note-added"]),
  buildEnvelope("approval-requested", eventData["approval-requested"]),
  buildEnvelope("approval-answered", eventData["approval-answered"]),
] as const);

function buildEnvelope<const Type extends string, Data extends z.ZodType>(type: Type, data: Data) {
  return z.strictObject({
    seq: z.int().min(1),
    at: z.string(),
    type: z.literal(type),
    story: id,
    delegation: id.nullable(),
    attempt: amount,
    data,
  });
}
