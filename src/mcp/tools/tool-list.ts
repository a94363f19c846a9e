import * as z from "zod";
import { describeInput, type RecordSchema } from "./tool-schema.ts";

/** One tool as clients see it. Texts are short: every request of every agent carries them. */
export interface ToolFacts {
  readonly name: string;
  readonly description: string;
  /** Every field it takes. */
  readonly input: RecordSchema;
  /** The fields that clients are told: every request of every agent pays for each of them. */
  readonly shown: RecordSchema;
  /** It changes nothing, so clients may call it in parallel with others. */
  readonly isReadOnly: boolean;
}

/** The subjects that `look` can show; each is a call of the runtime. */
export const lookSubjects = ["status", "tree", "result", "diff", "patch", "tasks", "agents"] as const;

const words = z.string();
const list = (description: string) => z.array(words).describe(description).optional();

const number = z.number().optional();

const task = z.object({
  description: z.string().describe("Up to 500 characters; code is fine"),
  agent: words.optional(),
  accept: list("Proof: `npm test` passes"),
  file_scope: list("Globs"),
  context: words.optional(),
  depends_on: list("delegation_id or #1"),
});

const moreOfTask = {
  priority: words.optional(),
  estimated_hours: number,
  budget_usd: number,
  budget_tokens: number,
  timeout_seconds: number,
  preferred_provider: words.optional(),
} as const;

const todo = z.object({
  id: words,
  status: z.enum(["pending", "in_progress", "delegated", "completed"]),
});

const moreOfTodo = {
  content: words.optional(),
  activeForm: words.optional(),
  delegated_to: words.optional(),
  acceptance_criteria: z.array(words).optional(),
  context: words.optional(),
  result_summary: words.optional(),
  timeout_seconds: number,
  file_scope: z.array(words).optional(),
} as const;

const message = z
  .string()
  .describe(
    "JSON {type: clarification_request, question}; or task_progress {progress_summary}, task_status {status: blocked, blocker}, answer {answer, in_reply_to}",
  );

const artifact = z.object({ type: words, path: words });
const problem = z.object({ message: words, recommendation: words });
const moreOfReturn = {
  artifacts: z.array(artifact.extend({ summary: words.optional() })),
  errors: z.array(problem.extend({ type: words.optional(), recoverable: z.boolean().optional() })).optional(),
  next_steps: words.optional(),
} as const;

/** Everything a worker needs that may not delegate. */
const workerTools: readonly ToolFacts[] = [
  defineTool({
    name: "submit_return",
    description: "Hand in your return; answers what is wrong",
    input: z.object({
      status: z.enum(["completed", "partial", "failed", "blocked"]),
      summary: words,
      artifacts: z.array(artifact),
      errors: z.array(problem).optional(),
    }),
    more: moreOfReturn,
  }),
  defineTool({
    name: "send_agent_message",
    description: "A question waits for its answer",
    input: z.object({ to: z.string().describe("manager, person or delegation_id"), message }),
    more: { wait_seconds: number },
  }),
  defineTool({
    name: "list_pending_messages",
    description: "Unread messages",
    input: z.object({}),
    more: { all: z.boolean().optional() },
    isReadOnly: true,
  }),
  defineTool({
    name: "status",
    description: "Your limits, workers, open questions",
    input: z.object({}),
    isReadOnly: true,
  }),
];

const managerTools: readonly ToolFacts[] = [
  defineTool({
    name: "delegate",
    description: "Give parts of your work to other agents",
    input: z.object({ tasks: z.array(task) }),
    more: { tasks: z.array(task.extend(moreOfTask)), wait_seconds: number },
  }),
  defineTool({
    name: "wait",
    description: "Wait for delegated work",
    input: z.object({ ticket: words.optional(), cursor: words.optional() }),
    more: { ids: z.array(words).optional(), wait_seconds: number },
  }),
  defineTool({
    name: "look",
    description: "Your limits; a worker's result or changes",
    input: z.object({ what: z.enum(lookSubjects), id: words.optional() }),
    isReadOnly: true,
  }),
  defineTool({
    name: "verify",
    description: "Decide a criterion that no program checks",
    input: z.object({ id: words, verdict: z.enum(["passed", "failed"]), reason: words }),
    more: { criterion: words.optional() },
  }),
  defineTool({
    name: "cancel",
    description: "Stop a worker; its work is kept",
    input: z.object({ id: words }),
    more: { reason: words.optional() },
  }),
  defineTool({
    name: "reply",
    description: "Answer a worker's question",
    input: z.object({ id: words, answer: words }),
  }),
  defineTool({
    name: "task_update",
    description: "Your task list; delegated ones go to a worker",
    input: z.object({
      todos: z
        .array(todo)
        .describe("Also content, activeForm, delegated_to, acceptance_criteria, context, result_summary"),
    }),
    more: { todos: z.array(todo.extend(moreOfTodo)) },
  }),
];

/** Everything the server knows, in the order clients show it. */
export const tools: readonly ToolFacts[] = [...managerTools, ...workerTools];

/** The tools for one caller: a worker at the depth limit gets only what it can use, and `look` shows a manager its status. */
export function chooseTools(canDelegate: boolean): readonly ToolFacts[] {
  return canDelegate ? tools.filter(({ name }) => name !== "status") : workerTools;
}

const subject = z.object({ id: words.optional() });

/** Answered by these names, too, and not listed: `look` shows the same. */
const formerTools: readonly ToolFacts[] = [
  defineTool({ name: "result", description: "", input: subject, isReadOnly: true }),
  defineTool({ name: "tree", description: "", input: z.object({}), isReadOnly: true }),
  defineTool({
    name: "diff",
    description: "",
    input: z.object({ id: words.optional(), kind: words.optional(), paths: z.array(words).optional() }),
    isReadOnly: true,
  }),
  defineTool({ name: "tasks", description: "", input: subject, isReadOnly: true }),
  defineTool({ name: "list_agents", description: "", input: z.object({}), isReadOnly: true }),
];

export function findTool(name: string): ToolFacts | undefined {
  return [...tools, ...formerTools].find((tool) => tool.name === name);
}

function defineTool({
  input,
  more = {},
  isReadOnly = false,
  ...texts
}: {
  readonly name: string;
  readonly description: string;
  readonly input: z.ZodObject;
  /** Fields that are taken and not shown, and the whole form of those that are shown in part. */
  readonly more?: Readonly<Record<string, z.ZodType>>;
  readonly isReadOnly?: boolean;
}): ToolFacts {
  return { ...texts, input: describeInput(input.extend(more)), shown: describeInput(input), isReadOnly };
}
