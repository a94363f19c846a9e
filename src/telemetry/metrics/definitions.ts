import type { MetricDefinition } from "./metric.ts";

type Described = Pick<MetricDefinition, "help" | "unit">;

function counter(name: string, prometheus: string, described: Described): MetricDefinition {
  return { name, prometheus, kind: "counter", ...described };
}

function gauge(name: string, prometheus: string, described: Described): MetricDefinition {
  return { name, prometheus, kind: "gauge", ...described };
}

/** An agent works for minutes; the bounds that the conventions advise for a single request end at 82 seconds. */
const WORK_SECONDS = [1, 5, 15, 30, 60, 120, 300, 600, 1200, 1800, 3600, 7200, 14_400];
const QUEUE_SECONDS = [0.1, 0.5, 1, 5, 15, 30, 60, 120, 300, 600, 1800, 3600];
/** As the conventions advise. */
const TOKENS = Array.from({ length: 14 }, (_, power) => 4 ** power);

/** Counted from the journal. */
export const counted = {
  storiesOpened: counter("ambit.story.opened", "ambit_stories_opened_total", {
    help: "Stories that were opened.",
    unit: "{story}",
  }),
  storiesEnded: counter("ambit.story.ended", "ambit_stories_ended_total", {
    help: "Stories that have ended, by outcome.",
    unit: "{story}",
  }),
  delegationsAdmitted: counter("ambit.delegation.admitted", "ambit_delegations_admitted_total", {
    help: "Delegations that were admitted, by agent.",
    unit: "{delegation}",
  }),
  delegationsEnded: counter("ambit.delegation.ended", "ambit_delegations_ended_total", {
    help: "Delegations that have ended, by agent and outcome.",
    unit: "{delegation}",
  }),
  delegationsRefused: counter("ambit.delegation.refused", "ambit_delegations_refused_total", {
    help: "Delegations that were refused, by the first code.",
    unit: "{delegation}",
  }),
  attempts: counter("ambit.attempt.started", "ambit_attempts_started_total", {
    help: "Attempts that were started, by agent.",
    unit: "{attempt}",
  }),
  warnings: counter("ambit.limit.warned", "ambit_limit_warnings_total", {
    help: "Warnings about limits, by code; STALLED is a silent worker.",
    unit: "{warning}",
  }),
  checks: counter("ambit.criterion.checked", "ambit_criteria_checked_total", {
    help: "Criteria that were checked, by verdict.",
    unit: "{criterion}",
  }),
  merges: counter("ambit.merge", "ambit_merges_total", {
    help: "Merges into a manager's branch, by result: merged, or the code of the refusal.",
    unit: "{merge}",
  }),
  questions: counter("ambit.question.asked", "ambit_questions_asked_total", {
    help: "Questions and approvals that were asked of a person, by kind.",
    unit: "{question}",
  }),
  cost: {
    ...counter("ambit.cost", "ambit_cost_usd_total", {
      help: "Dollars spent, by agent, model and source of the price.",
      unit: "USD",
    }),
    isDouble: true,
    partsPerUnit: 1_000_000,
  },
  tokens: counter("ambit.tokens", "ambit_tokens_total", {
    help: "Tokens used, by model and type.",
    unit: "{token}",
  }),
  queueing: {
    name: "ambit.queue.duration",
    prometheus: "ambit_queue_duration_seconds",
    help: "Time from admission to the first attempt.",
    unit: "s",
    kind: "histogram",
    isDouble: true,
    bounds: QUEUE_SECONDS,
  },
  duration: {
    name: "gen_ai.client.operation.duration",
    prometheus: "gen_ai_client_operation_duration_seconds",
    help: "Time from admission to the end of a delegation (invoke_agent) or story (invoke_workflow).",
    unit: "s",
    kind: "histogram",
    isDouble: true,
    bounds: WORK_SECONDS,
  },
  tokenUsage: {
    name: "gen_ai.client.token.usage",
    prometheus: "gen_ai_client_token_usage",
    help: "Tokens that one delegation or story used itself, without its workers.",
    unit: "{token}",
    kind: "histogram",
    bounds: TOKENS,
  },
} as const satisfies Readonly<Record<string, MetricDefinition>>;

/** The state of now. */
export const gauges = {
  storiesOpen: gauge("ambit.story.open", "ambit_stories_open", {
    help: "Stories with open work.",
    unit: "{story}",
  }),
  delegationsOpen: gauge("ambit.delegation.open", "ambit_delegations_open", {
    help: "Delegations that wait, run or are being settled.",
    unit: "{delegation}",
  }),
  delegationsRunning: gauge("ambit.delegation.running", "ambit_delegations_running", {
    help: "Delegations whose worker runs.",
    unit: "{delegation}",
  }),
  questionsOpen: gauge("ambit.question.open", "ambit_questions_open", {
    help: "Questions and approvals that wait for a person.",
    unit: "{question}",
  }),
  supervisorUp: gauge("ambit.supervisor.up", "ambit_supervisor_up", {
    help: "1 while a process works on this project's stories, 0 while nothing moves.",
    unit: "1",
  }),
} as const satisfies Readonly<Record<string, MetricDefinition>>;
