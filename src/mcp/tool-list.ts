import { list, number, oneOf, record, text, type RecordSchema } from "./json-schema.ts";

/** One tool as clients see it. Texts are static and short: they stand in every request of every agent. */
export interface ToolFacts {
  readonly name: string;
  readonly description: string;
  readonly input: RecordSchema;
  /** Changes nothing, so that clients may call it beside others. */
  readonly isReadOnly: boolean;
}

const words = { type: "string" } as const;
const worker = text("delegation_id of your worker");

const task = record(
  {
    description: text("What to do, up to 500 characters"),
    agent: text("Agent definition, see list_agents"),
    accept: list(words, "How it is proven, e.g. `npm test` passes"),
    file_scope: list(words, "Globs it may change"),
    context: text("Background and constraints"),
    depends_on: list(words, "delegation_ids, or #1 for the first of this list"),
    priority: oneOf("Who starts first", "low", "medium", "high"),
    estimated_hours: number("3 to 8 is ideal"),
    budget_usd: number("Slice of your own budget"),
    budget_tokens: number("Slice of your own budget"),
    timeout_seconds: number("Per attempt"),
    preferred_provider: text("e.g. claude-haiku"),
  },
  ["description"],
);

const todo = record(
  {
    id: text("Stable: fix-oauth-refresh"),
    content: text("What to do"),
    activeForm: text("What is being done"),
    status: oneOf("", "pending", "in_progress", "delegated", "completed"),
    delegated_to: text("Agent, when delegated"),
    acceptance_criteria: list(words, "As accept, when delegated"),
    context: text("Background and constraints"),
    result_summary: words,
    timeout_seconds: number("Deadline"),
    file_scope: list(words, "Globs it may change"),
  },
  ["id", "status"],
);

const message = text(
  "JSON by type: clarification_request {question}, task_progress {progress_summary}, task_status {status: blocked, blocker, requested_action, attempted_solutions}, answer {answer, in_reply_to}, ack, cancel {reason}; task_id where it is not your own",
);

const artifact = record(
  {
    type: oneOf("", "report", "plan", "implementation", "summary", "documentation"),
    path: text("Relative path of a file that exists"),
    summary: text("One sentence"),
  },
  ["type", "path"],
);

const problem = record(
  {
    type: oneOf("", "timeout", "validation", "execution", "tool_unavailable", "permission"),
    message: words,
    recoverable: { type: "boolean" },
    recommendation: words,
  },
  ["type", "message", "recommendation"],
);

const waitSeconds = number("Wait at most this long; 0 answers at once");

/** Everything our server offers, in the order clients show it. */
export const tools: readonly ToolFacts[] = [
  {
    name: "delegate",
    description:
      "Hand parts of your work to other agents, each in a workspace of its own. Waits for them; answers results, or a ticket when it takes long.",
    input: record({ tasks: list(task, "Runs side by side"), wait_seconds: waitSeconds }, ["tasks"]),
    isReadOnly: false,
  },
  {
    name: "wait",
    description: "Wait for delegated work. Pass the newest cursor each time.",
    input: record({
      ticket: text("From delegate; all your open workers when absent"),
      ids: list(words, "delegation_ids, instead of a ticket"),
      cursor: text("From the last answer"),
      wait_seconds: waitSeconds,
    }),
    isReadOnly: false,
  },
  {
    name: "status",
    description: "Your bounds, your workers and what waits for you.",
    input: record({}),
    isReadOnly: true,
  },
  {
    name: "result",
    description: "How one of your workers ended.",
    input: record({ id: worker }, ["id"]),
    isReadOnly: true,
  },
  {
    name: "submit_return",
    description: "Hand in your return, then end your turn. Answers what is wrong with it, if anything.",
    input: record(
      {
        status: oneOf("", "completed", "partial", "failed", "blocked"),
        summary: text("2 to 5 sentences, at most 100 tokens"),
        artifacts: list(artifact, "Files you made; [] when none"),
        errors: list(problem, "Required unless completed"),
        next_steps: text("What should happen next"),
      },
      ["status", "summary", "artifacts"],
    ),
    isReadOnly: false,
  },
  {
    name: "verify",
    description: "Decide a criterion of your worker that no program can check, with a reason.",
    input: record(
      {
        id: worker,
        criterion: text("Its id or text; not needed when only one is open"),
        verdict: oneOf("", "passed", "failed"),
        reason: text("What you looked at"),
      },
      ["id", "verdict", "reason"],
    ),
    isReadOnly: false,
  },
  {
    name: "cancel",
    description: "Stop one of your workers; its work is kept.",
    input: record({ id: worker, reason: text("Why") }, ["id"]),
    isReadOnly: false,
  },
  {
    name: "reply",
    description: "Answer a question of one of your workers.",
    input: record({ id: text("Id of the question or of the worker"), answer: text("In words") }, [
      "id",
      "answer",
    ]),
    isReadOnly: false,
  },
  {
    name: "tree",
    description: "Who does what for whom in your story.",
    input: record({}),
    isReadOnly: true,
  },
  {
    name: "diff",
    description: "What you, or one of your workers, changed.",
    input: record({
      id: text("delegation_id; yourself when absent"),
      kind: oneOf("", "stat", "patch"),
      paths: list(words, "Only these"),
    }),
    isReadOnly: true,
  },
  {
    name: "task_update",
    description: "Keep your task list, merged by id. A delegated task is handed to delegated_to and proven.",
    input: record({ todos: list(todo, "Those that are new or change") }, ["todos"]),
    isReadOnly: false,
  },
  {
    name: "tasks",
    description: "Your task list and the project's tasks.",
    input: record({ id: text("Only this one, whole") }),
    isReadOnly: true,
  },
  {
    name: "send_agent_message",
    description: "Write to your manager, the person or a worker. A question or blocker waits for the answer.",
    input: record(
      {
        to: text("manager, person, delegation_id or agent of your worker"),
        message,
        wait_seconds: waitSeconds,
      },
      ["to", "message"],
    ),
    isReadOnly: false,
  },
  {
    name: "list_agents",
    description: "Agents you can delegate to, and your workers that are there.",
    input: record({}),
    isReadOnly: true,
  },
  {
    name: "list_pending_messages",
    description: "Messages you have not read yet.",
    input: record({ all: { type: "boolean", description: "Also those you have" } }),
    isReadOnly: true,
  },
];
