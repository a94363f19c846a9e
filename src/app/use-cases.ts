import type { UseCaseEntry } from "./use-case.ts";

/**
 * Everything that can be asked for, by name. Commands, MCP tools, dashboard routes, published `--json` schemas and
 * library methods come from this table; a module is loaded when its use case is called.
 */
export const useCases = {
  stop: {
    summary: "stop a story and keep its work",
    isReadOnly: false,
    load: async () => (await import("./stop.ts")).stopUseCase,
  },
  inbox: {
    summary: "what waits for your answer",
    isReadOnly: true,
    load: async () => (await import("./inbox.ts")).inboxUseCase,
  },
  approve: {
    summary: "approve a pending request",
    isReadOnly: false,
    load: async () => (await import("./answer.ts")).answerUseCase,
  },
  reject: {
    summary: "reject a pending request",
    isReadOnly: false,
    load: async () => (await import("./answer.ts")).answerUseCase,
  },
  reply: {
    summary: "answer a worker's question in words",
    isReadOnly: false,
    load: async () => (await import("./answer.ts")).answerUseCase,
  },
  delegate: {
    summary: "for agents: hand a part of the work to another",
    isReadOnly: false,
    load: async () => (await import("./delegate.ts")).delegateUseCase,
  },
  ask: {
    summary: "for agents: ask the manager or the person",
    isReadOnly: false,
    load: async () => (await import("./ask.ts")).askUseCase,
  },
  "message send": {
    summary: "write to the agents of a story",
    isReadOnly: false,
    load: async () => (await import("./send-message.ts")).sendMessageUseCase,
  },
  "message list": {
    summary: "what the agents of a story wrote",
    isReadOnly: true,
    load: async () => (await import("./list-messages.ts")).listMessagesUseCase,
  },
  "message read": {
    summary: "for agents: read new messages",
    isReadOnly: false,
    load: async () => (await import("./read-messages.ts")).readMessagesUseCase,
  },
  clean: {
    summary: "remove what finished work left behind",
    isReadOnly: false,
    load: async () => (await import("./clean.ts")).cleanUseCase,
  },
  "supervisor status": {
    summary: "whether the supervisor is running",
    isReadOnly: true,
    load: async () => (await import("./supervisor-status.ts")).supervisorStatusUseCase,
  },
  "supervisor stop": {
    summary: "stop the supervisor; its work can be resumed",
    isReadOnly: false,
    load: async () => (await import("./stop-supervisor.ts")).stopSupervisorUseCase,
  },
  status: {
    summary: "overview: needs you, running, queued, done",
    isReadOnly: true,
    load: async () => (await import("./status.ts")).statusUseCase,
  },
  todos: {
    summary: "the task lists of a story's managers",
    isReadOnly: true,
    load: async () => (await import("./todos.ts")).todosUseCase,
  },
  "todos update": {
    summary: "for agents: change your own task list",
    isReadOnly: false,
    command: "todos",
    load: async () => (await import("./update-todos.ts")).updateTodosUseCase,
  },
  tree: {
    summary: "who delegated what to whom, also as a diagram",
    isReadOnly: true,
    load: async () => (await import("./tree.ts")).treeUseCase,
  },
  cost: {
    summary: "what a story cost, with all that was delegated",
    isReadOnly: true,
    load: async () => (await import("./cost.ts")).costUseCase,
  },
  stats: {
    summary: "how many delegations, how deep, how many open",
    isReadOnly: true,
    load: async () => (await import("./stats.ts")).statsUseCase,
  },
  performance: {
    summary: "success rate, durations, averages, overheads",
    isReadOnly: true,
    load: async () => (await import("./performance.ts")).performanceUseCase,
  },
  diff: {
    summary: "what the work changed",
    isReadOnly: true,
    load: async () => (await import("./diff.ts")).diffUseCase,
  },
  audit: {
    summary: "list the newest events of the journal",
    isReadOnly: true,
    load: async () => (await import("./audit.ts")).auditUseCase,
  },
  "audit verify": {
    summary: "check the journal against its hashes",
    isReadOnly: true,
    command: "audit",
    load: async () => (await import("./audit-verify.ts")).auditVerifyUseCase,
  },
  "audit rebuild": {
    summary: "rebuild every projection from the journal",
    isReadOnly: false,
    command: "audit",
    load: async () => (await import("./audit-rebuild.ts")).auditRebuildUseCase,
  },
  "audit export": {
    summary: "write the journal for other tools",
    isReadOnly: false,
    command: "audit",
    load: async () => (await import("./audit-export.ts")).auditExportUseCase,
  },
  logs: {
    summary: "what agents wrote, live with -f",
    isReadOnly: true,
    load: async () => (await import("./logs.ts")).logsUseCase,
  },
  "logs events": {
    summary: "what happened to a story, event by event",
    isReadOnly: true,
    command: "logs",
    load: async () => (await import("./log-events.ts")).logEventsUseCase,
  },
  "logs follow": {
    summary: "what agents write, until the work ends",
    isReadOnly: true,
    command: "logs",
    load: async () => (await import("./follow-logs.ts")).followLogsUseCase,
  },
  explain: {
    summary: "why work is where it is; what a code means",
    isReadOnly: true,
    load: async () => (await import("./explain.ts")).explainUseCase,
  },
  "explain code": {
    summary: "what an error code means",
    isReadOnly: true,
    command: "explain",
    load: async () => (await import("./explain.ts")).explainCodeUseCase,
  },
  "check depth": {
    summary: "May a caller at this depth delegate?",
    isReadOnly: true,
    load: async () => (await import("./check-limits.ts")).checkDepthUseCase,
  },
  "check path": {
    summary: "May the last agent of a path delegate to another?",
    isReadOnly: true,
    load: async () => (await import("./check-limits.ts")).checkPathUseCase,
  },
  "check cycle": {
    summary: "Would one more edge close a cycle?",
    isReadOnly: true,
    load: async () => (await import("./check-limits.ts")).checkCycleUseCase,
  },
  "check budget": {
    summary: "Do the tokens of parent and child fit the limit?",
    isReadOnly: true,
    load: async () => (await import("./check-limits.ts")).checkBudgetUseCase,
  },
  "check count": {
    summary: "Do more delegations fit into the story?",
    isReadOnly: true,
    load: async () => (await import("./check-limits.ts")).checkCountUseCase,
  },
  "check description": {
    summary: "Is a description short and safe?",
    isReadOnly: true,
    load: async () => (await import("./check-limits.ts")).checkDescriptionUseCase,
  },
  "check session": {
    summary: "Is a session id well-formed?",
    isReadOnly: true,
    load: async () => (await import("./check-texts.ts")).checkSessionUseCase,
  },
  "check range": {
    summary: "Which task numbers does a text name?",
    isReadOnly: true,
    load: async () => (await import("./check-texts.ts")).checkRangeUseCase,
  },
  "check marker": {
    summary: "Which task status does a marker stand for?",
    isReadOnly: true,
    load: async () => (await import("./check-texts.ts")).checkMarkerUseCase,
  },
  "check return": {
    summary: "Does a worker's return keep the contract?",
    isReadOnly: true,
    load: async () => (await import("./check-return.ts")).checkReturnUseCase,
  },
  "check todos": {
    summary: "Is a list of tasks well-formed?",
    isReadOnly: true,
    load: async () => (await import("./check-return.ts")).checkTodosUseCase,
  },
  "directive parse": {
    summary: "read every directive in a text",
    isReadOnly: true,
    load: async () => (await import("./directive.ts")).parseDirectivesUseCase,
  },
  "directive validate": {
    summary: "is a text exactly one directive?",
    isReadOnly: true,
    load: async () => (await import("./directive.ts")).validateDirectiveUseCase,
  },
  "directive count": {
    summary: "count well-formed and malformed directives",
    isReadOnly: true,
    load: async () => (await import("./directive.ts")).countDirectivesUseCase,
  },
  "agents list": {
    summary: "who can work here, and what each still needs",
    isReadOnly: true,
    load: async () => (await import("./agents.ts")).listAgentsUseCase,
  },
  "agents show": {
    summary: "one agent and what its file says",
    isReadOnly: true,
    load: async () => (await import("./agents.ts")).showAgentUseCase,
  },
  "agents check": {
    summary: "what is wrong with the agents' definitions",
    isReadOnly: true,
    load: async () => (await import("./agents.ts")).checkAgentsUseCase,
  },
  "config list": {
    summary: "every setting that holds, with its origin",
    isReadOnly: true,
    load: async () => (await import("./config.ts")).listConfigUseCase,
  },
  "config get": {
    summary: "one setting, with its origin",
    isReadOnly: true,
    load: async () => (await import("./config.ts")).getConfigUseCase,
  },
  "config set": {
    summary: "set one key of ambit.yaml",
    isReadOnly: false,
    load: async () => (await import("./config.ts")).setConfigUseCase,
  },
  "config check": {
    summary: "every problem of every file and variable",
    isReadOnly: true,
    load: async () => (await import("./config.ts")).checkConfigUseCase,
  },
  "config schema": {
    summary: "the JSON Schema of ambit.yaml",
    isReadOnly: true,
    load: async () => (await import("./config.ts")).configSchemaUseCase,
  },
  "config path": {
    summary: "which configuration files are read",
    isReadOnly: true,
    load: async () => (await import("./config.ts")).configPathsUseCase,
  },
  init: {
    summary: "detect this project and write ambit.yaml",
    isReadOnly: false,
    load: async () => (await import("./init.ts")).initUseCase,
  },
  doctor: {
    summary: "is this machine ready, is anything left behind?",
    isReadOnly: false,
    load: async () => (await import("./doctor.ts")).doctorUseCase,
  },
  "doctor symptom": {
    summary: "what fits a symptom here, and what to do about it",
    isReadOnly: true,
    command: "doctor",
    load: async () => (await import("./diagnose-symptom.ts")).diagnoseSymptomUseCase,
  },
} as const satisfies Readonly<Record<string, UseCaseEntry>>;
