import * as z from "zod";
import { isRecord, parseJson } from "../base/json.ts";
import { returnStatuses } from "./agent-return.ts";
import { filledText, lenientList, nullsAbsent } from "./lenient.ts";
import { prioritySchema } from "./priority.ts";
import type { Problem } from "./return-problem.ts";
import { schemaProblems } from "./schema-problems.ts";

/** UTF-8 bytes of one message as JSON. */
export const messageMaxBytes = 64 * 1024;

const task = { task_id: filledText } as const;
const texts = lenientList(z.array(filledText));

const taskAssignment = z.object({
  type: z.literal("task_assignment"),
  ...task,
  content: filledText,
  acceptance_criteria: texts.refine((list) => list.length > 0, "must not be empty"),
  context: z.string().optional(),
  priority: prioritySchema.optional(),
});

const taskProgress = z.object({
  type: z.literal("task_progress"),
  ...task,
  status: z.literal("in_progress").default("in_progress"),
  progress_summary: filledText,
  estimated_completion: z.string().optional(),
  next_steps: z.string().optional(),
});

const taskCompletion = z.object({
  type: z.literal("task_completion"),
  ...task,
  status: z.enum(returnStatuses),
  result_summary: filledText,
  files_modified: texts.optional(),
});

const taskBlocked = z.object({
  type: z.literal("task_status"),
  ...task,
  status: z.literal("blocked"),
  blocker: filledText,
  requested_action: z.string().optional(),
  attempted_solutions: texts.default([]),
});

const clarificationRequest = z.object({
  type: z.literal("clarification_request"),
  ...task,
  question: filledText,
});

const reply = { ...task, in_reply_to: filledText.optional().describe("Id of the message answered") } as const;
const ack = z.object({ type: z.literal("ack"), ...reply, note: z.string().optional() });
const answer = z.object({ type: z.literal("answer"), ...reply, answer: filledText });
const cancel = z.object({ type: z.literal("cancel"), ...task, reason: filledText });

/** The messages between managers and workers (R167–R171), plus ack, answer and cancel. */
export const messageSchema = nullsAbsent(
  z.discriminatedUnion("type", [
    taskAssignment,
    taskProgress,
    taskCompletion,
    taskBlocked,
    clarificationRequest,
    ack,
    answer,
    cancel,
  ]),
);

export type AgentMessage = z.infer<typeof messageSchema>;
export type AgentMessageType = AgentMessage["type"];

export type MessageReading =
  | { readonly status: "valid"; readonly message: AgentMessage }
  | { readonly status: "invalid"; readonly problems: readonly Problem[] };

/** Reads one message, given as an object or as JSON text (C38), of at most 64 KiB. */
export function parseMessage(input: unknown): MessageReading {
  const json = typeof input === "string" ? input : writeJson(input);
  if (json === undefined) return rejectMessage("NOT_JSON", "The message cannot be written as JSON");
  const bytes = countBytes(json);
  if (bytes > messageMaxBytes) {
    return rejectMessage(
      "TOO_LARGE",
      `The message has ${bytes} bytes; at most ${messageMaxBytes} are allowed`,
    );
  }
  const data = parseJson(json);
  if (data === undefined) return rejectMessage("NOT_JSON", "The message is not valid JSON");
  if (!isRecord(data)) return rejectMessage("NOT_AN_OBJECT", "The message must be a JSON object");
  const result = messageSchema.safeParse(data);
  if (result.success) return { status: "valid", message: result.data };
  return { status: "invalid", problems: schemaProblems(messageSchema, data) };
}

function rejectMessage(code: string, message: string): MessageReading {
  return { status: "invalid", problems: [{ code, message }] };
}

function writeJson(value: unknown): string | undefined {
  try {
    return JSON.stringify(value);
  } catch {
    // Cycles and values that JSON cannot represent are refused like any text that is not JSON.
    return undefined;
  }
}

function countBytes(text: string): number {
  return new TextEncoder().encode(text).length;
}
