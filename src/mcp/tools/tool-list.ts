import * as z from "zod";
import { describeInput, type RecordSchema } from "./tool-schema.ts";

/** One tool as clients see it. Texts are short: every request of every agent carries them. */
export interface ToolFacts {
  readonly name: string;
  readonly description: string;
  readonly input: RecordSchema;
  /** It changes nothing, so clients may call it in parallel with others. */
  readonly isReadOnly: boolean;
}

const words = z.string();
const worker = z.string().describe("delegation_id of your worker");
const number = (description: string) => z.number().describe(description).optional();
const text = (description: string) => z.string().describe(description).optional();
const list = (description: string) => z.array(words).describe(description).optional();

const task = z.object({
  description: z.string().describe("What to do, up to 500 characters"),
  agent: text("From list_agents; leave out for one like yourself"),
  accept: list("How it is proven, e.g. `npm test` passes"),
  file_scope: list("Globs it may change"),
  context: text("Background and constraints"),
  depends_on: list("delegation_ids, or #1 for the first of this list"),
  priority: z.enum(["low", "medium", "high"]).describe("Who starts first").optional(),
  estimated_hours: number("3 to 8 is ideal"),
  budget_usd: number("Slice of your own budget"),
  budget_tokens: number("Slice of your own budget"),
  timeout_seconds: number("Per attempt"),
  preferred_provider: text("e.g. claude-haiku"),
});

const todo = z.object({
  id: z.string().describe("Stable: fix-oauth-refresh"),
  content: text("What to do"),
  activeForm: text("What is being done"),
  status: z.enum(["pending", "in_progress", "delegated", "completed"]),
  delegated_to: text("Agent, when delegated"),
  acceptance_criteria: list("As accept, when delegated"),
  context: text("Background and constraints"),
  result_summary: words.optional(),
  timeout_seconds: number("Deadline"),
  file_scope: list("Globs it may change"),
});

const message = z
  .string()
  .describe(
    "JSON by type: clarification_request {question}, task_progress {progress_summary}, task_status {status: blocked, blocker, requested_action, attempted_solutions}, answer {answer, in_reply_to}, ack, cancel {reason}; task_id if not your own",
  );

const artifact = z.object({
  type: z.enum(["report", "plan", "implementation", "summary", "documentation"]),
  path: z.string().describe("Relative path of an existing file"),
  summary: text("One sentence"),
});

const problem = z.object({
  type: z.enum(["timeout", "validation", "execution", "tool_unavailable", "permission"]),
  message: words,
  recoverable: z.boolean().optional(),
  recommendation: words,
});

const waitSeconds = number("Longest wait; 0 answers at once");

/** Everything the server offers, in the order clients show it. */
export const tools: readonly ToolFacts[] = [
  defineTool({
    name: "delegate",
    description:
      "Give parts of your work to other agents, each in its own workspace. Waits; answers results, or a ticket if it takes long.",
    input: z.object({ tasks: z.array(task).describe("Run in parallel"), wait_seconds: waitSeconds }),
  }),
  defineTool({
    name: "wait",
    description: "Wait for delegated work. Pass the newest cursor each time.",
    input: z.object({
      ticket: text("From delegate; all your open workers when absent"),
      ids: list("delegation_ids, instead of a ticket"),
      cursor: text("From the last answer"),
      wait_seconds: waitSeconds,
    }),
  }),
  defineTool({
    name: "status",
    description: "Your limits, your workers and what waits for you.",
    input: z.object({}),
    isReadOnly: true,
  }),
  defineTool({
    name: "result",
    description: "How one of your workers ended.",
    input: z.object({ id: worker }),
    isReadOnly: true,
  }),
  defineTool({
    name: "submit_return",
    description: "Submit your return, then end your turn. Answers what is wrong with it, if anything.",
    input: z.object({
      status: z.enum(["completed", "partial", "failed", "blocked"]),
      summary: z.string().describe("2 to 5 sentences, at most 100 tokens"),
      artifacts: z.array(artifact).describe("Files you made; [] if none"),
      errors: z.array(problem).describe("Required unless completed").optional(),
      next_steps: text("What should happen next"),
    }),
  }),
  defineTool({
    name: "verify",
    description: "Decide a criterion of your worker that no program can check, with a reason.",
    input: z.object({
      id: worker,
      criterion: text("Its id or text; optional if only one is open"),
      verdict: z.enum(["passed", "failed"]),
      reason: z.string().describe("What you looked at"),
    }),
  }),
  defineTool({
    name: "cancel",
    description: "Stop one of your workers; its work is kept.",
    input: z.object({ id: worker, reason: text("Why") }),
  }),
  defineTool({
    name: "reply",
    description: "Answer a question of one of your workers.",
    input: z.object({
      id: z.string().describe("Id of the question or of the worker"),
      answer: z.string().describe("In words"),
    }),
  }),
  defineTool({
    name: "tree",
    description: "Who works for whom in your story, and on what.",
    input: z.object({}),
    isReadOnly: true,
  }),
  defineTool({
    name: "diff",
    description: "What you, or one of your workers, changed.",
    input: z.object({
      id: text("delegation_id; yourself when absent"),
      kind: z.enum(["stat", "patch"]).optional(),
      paths: list("Only these"),
    }),
    isReadOnly: true,
  }),
  defineTool({
    name: "task_update",
    description: "Update your task list, merged by id. A delegated task goes to delegated_to and is checked.",
    input: z.object({ todos: z.array(todo).describe("New or changed tasks") }),
  }),
  defineTool({
    name: "tasks",
    description: "Your task list and the project's tasks.",
    input: z.object({ id: text("Only this one, in full") }),
    isReadOnly: true,
  }),
  defineTool({
    name: "send_agent_message",
    description: "Write to your manager, the person or a worker. A question or blocker waits for the answer.",
    input: z.object({
      to: z.string().describe("manager, person, delegation_id or agent of your worker"),
      message,
      wait_seconds: waitSeconds,
    }),
  }),
  defineTool({
    name: "list_agents",
    description: "Agents you can delegate to, and your active workers.",
    input: z.object({}),
    isReadOnly: true,
  }),
  defineTool({
    name: "list_pending_messages",
    description: "Messages you have not read yet.",
    input: z.object({ all: z.boolean().describe("Read ones too").optional() }),
    isReadOnly: true,
  }),
];

function defineTool({
  input,
  isReadOnly = false,
  ...texts
}: {
  readonly name: string;
  readonly description: string;
  readonly input: z.ZodType;
  readonly isReadOnly?: boolean;
}): ToolFacts {
  return { ...texts, input: describeInput(input), isReadOnly };
}
