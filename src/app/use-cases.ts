import type { AnyUseCase } from "./use-case.ts";

/**
 * Everything that can be asked for, by name. Commands, their published `--json` schemas and the library's `ask` come
 * from this table. A module is loaded when its use case is called, so that a command starts with only its own code.
 */
export const useCases = {
  // Work: start, continue and end stories.
  run: async () => (await import("./run.ts")).runUseCase,
  "run task": async () => (await import("./run-task.ts")).runTaskUseCase,
  "run prd": async () => (await import("./run-prd.ts")).runPrdUseCase,
  "run preview": async () => (await import("./preview-story.ts")).previewStoryUseCase,
  quick: async () => (await import("./quick.ts")).quickUseCase,
  workflow: async () => (await import("./workflow.ts")).workflowUseCase,
  attach: async () => (await import("./attach.ts")).attachUseCase,
  resume: async () => (await import("./resume.ts")).resumeUseCase,
  retry: async () => (await import("./retry.ts")).retryUseCase,
  stop: async () => (await import("./stop.ts")).stopUseCase,

  // Questions to the person, and messages.
  inbox: async () => (await import("./inbox.ts")).inboxUseCase,
  answer: async () => (await import("./answer.ts")).answerUseCase,
  "message send": async () => (await import("./send-message.ts")).sendMessageUseCase,
  "message list": async () => (await import("./list-messages.ts")).listMessagesUseCase,

  // Results: look at them, prove them, merge them.
  diff: async () => (await import("./diff.ts")).diffUseCase,
  verify: async () => (await import("./verify.ts")).verifyUseCase,
  merge: async () => (await import("./merge.ts")).mergeUseCase,
  "merge preview": async () => (await import("./preview-merge.ts")).previewMergeUseCase,
  "merge undo": async () => (await import("./undo-merge.ts")).undoMergeUseCase,
  "merge undo preview": async () => (await import("./undo-merge.ts")).previewUndoUseCase,

  // Reports.
  list: async () => (await import("./list-stories.ts")).listStoriesUseCase,
  status: async () => (await import("./status.ts")).statusUseCase,
  tree: async () => (await import("./tree.ts")).treeUseCase,
  todos: async () => (await import("./todos.ts")).todosUseCase,
  cost: async () => (await import("./cost.ts")).costUseCase,
  "cost groups": async () => (await import("./group-cost.ts")).groupCostUseCase,
  stats: async () => (await import("./stats.ts")).statsUseCase,
  performance: async () => (await import("./performance.ts")).performanceUseCase,
  errors: async () => (await import("./list-errors.ts")).listErrorsUseCase,
  logs: async () => (await import("./logs.ts")).logsUseCase,
  "logs note": async () => (await import("./add-note.ts")).addNoteUseCase,
  "logs events": async () => (await import("./log-events.ts")).logEventsUseCase,
  "logs follow": async () => (await import("./follow-logs.ts")).followLogsUseCase,
  report: async () => (await import("./report.ts")).reportUseCase,
  explain: async () => (await import("./explain.ts")).explainUseCase,
  "explain code": async () => (await import("./explain.ts")).explainCodeUseCase,
  audit: async () => (await import("./audit.ts")).auditUseCase,
  "audit verify": async () => (await import("./audit-verify.ts")).auditVerifyUseCase,
  "audit rebuild": async () => (await import("./audit-rebuild.ts")).auditRebuildUseCase,
  "audit export": async () => (await import("./audit-export.ts")).auditExportUseCase,

  // Calls that only an agent inside a story can make.
  delegate: async () => (await import("./delegate.ts")).delegateUseCase,
  ask: async () => (await import("./ask.ts")).askUseCase,
  "message read": async () => (await import("./read-messages.ts")).readMessagesUseCase,
  "todos update": async () => (await import("./update-todos.ts")).updateTodosUseCase,

  // The project's task list.
  "task list": async () => (await import("./list-tasks.ts")).listTasksUseCase,
  "task show": async () => (await import("./show-task.ts")).showTaskUseCase,
  "task add": async () => (await import("./edit-tasks.ts")).addTaskUseCase,
  "task edit": async () => (await import("./edit-tasks.ts")).editTasksUseCase,
  "task divide": async () => (await import("./divide-task.ts")).divideTaskUseCase,
  "task import": async () => (await import("./edit-tasks.ts")).importTasksUseCase,
  "task status": async () => (await import("./change-tasks.ts")).setTaskStatusUseCase,
  "task archive": async () => (await import("./change-tasks.ts")).archiveTasksUseCase,
  "task recover": async () => (await import("./change-tasks.ts")).recoverTasksUseCase,
  "task abandon": async () => (await import("./change-tasks.ts")).abandonTasksUseCase,
  "task sync": async () => (await import("./change-tasks.ts")).syncTasksUseCase,
  todo: async () => (await import("./archive-finished-tasks.ts")).archiveFinishedTasksUseCase,

  // Pure checks and directives.
  "check depth": async () => (await import("./check-limits.ts")).checkDepthUseCase,
  "check path": async () => (await import("./check-limits.ts")).checkPathUseCase,
  "check cycle": async () => (await import("./check-limits.ts")).checkCycleUseCase,
  "check budget": async () => (await import("./check-limits.ts")).checkBudgetUseCase,
  "check count": async () => (await import("./check-limits.ts")).checkCountUseCase,
  "check description": async () => (await import("./check-limits.ts")).checkDescriptionUseCase,
  "check session": async () => (await import("./check-texts.ts")).checkSessionUseCase,
  "check range": async () => (await import("./check-texts.ts")).checkRangeUseCase,
  "check marker": async () => (await import("./check-texts.ts")).checkMarkerUseCase,
  "check return": async () => (await import("./check-return.ts")).checkReturnUseCase,
  "check todos": async () => (await import("./check-return.ts")).checkTodosUseCase,
  "directive parse": async () => (await import("./directive.ts")).parseDirectivesUseCase,
  "directive validate": async () => (await import("./directive.ts")).validateDirectiveUseCase,
  "directive count": async () => (await import("./directive.ts")).countDirectivesUseCase,

  // Setup and upkeep.
  init: async () => (await import("./init.ts")).initUseCase,
  doctor: async () => (await import("./doctor.ts")).doctorUseCase,
  "doctor symptom": async () => (await import("./diagnose-symptom.ts")).diagnoseSymptomUseCase,
  "trust show": async () => (await import("./trust.ts")).showTrustUseCase,
  "trust accept": async () => (await import("./trust.ts")).acceptTrustUseCase,
  "trust revoke": async () => (await import("./trust.ts")).revokeTrustUseCase,
  clean: async () => (await import("./clean.ts")).cleanUseCase,
  "clean history": async () => (await import("./clear-history.ts")).clearHistoryUseCase,
  "agents list": async () => (await import("./agents.ts")).listAgentsUseCase,
  "agents show": async () => (await import("./agents.ts")).showAgentUseCase,
  "agents check": async () => (await import("./agents.ts")).checkAgentsUseCase,
  "config list": async () => (await import("./config.ts")).listConfigUseCase,
  "config get": async () => (await import("./config.ts")).getConfigUseCase,
  "config set": async () => (await import("./config.ts")).setConfigUseCase,
  "config check": async () => (await import("./config.ts")).checkConfigUseCase,
  "config schema": async () => (await import("./config.ts")).configSchemaUseCase,
  "config path": async () => (await import("./config.ts")).configPathsUseCase,
  "template list": async () => (await import("./templates.ts")).listTemplatesUseCase,
  "template show": async () => (await import("./templates.ts")).showTemplateUseCase,
  "template add": async () => (await import("./add-templates.ts")).addTemplatesUseCase,
  "template search": async () => (await import("./template-index.ts")).searchTemplatesUseCase,
  "template publish": async () => (await import("./template-index.ts")).publishTemplateUseCase,
  "template compare": async () => (await import("./templates.ts")).compareTemplatesUseCase,
  "mcp install": async () => (await import("./install-mcp.ts")).installMcpUseCase,
  "mcp uninstall": async () => (await import("./install-mcp.ts")).uninstallMcpUseCase,
  "cluster init": async () => (await import("./cluster.ts")).clusterInitUseCase,
  "cluster status": async () => (await import("./cluster.ts")).clusterStatusUseCase,
  "cluster import": async () => (await import("./cluster.ts")).clusterImportUseCase,
  "cluster export": async () => (await import("./cluster.ts")).clusterExportUseCase,
  "cluster drain": async () => (await import("./cluster.ts")).clusterDrainUseCase,
  "cluster remove": async () => (await import("./cluster.ts")).clusterRemoveUseCase,
  "supervisor status": async () => (await import("./supervisor-status.ts")).supervisorStatusUseCase,
  "supervisor stop": async () => (await import("./stop-supervisor.ts")).stopSupervisorUseCase,
} as const satisfies Readonly<Record<string, () => Promise<AnyUseCase>>>;

export type UseCaseName = keyof typeof useCases;

export function isUseCaseName(name: string): name is UseCaseName {
  return Object.hasOwn(useCases, name);
}

/** The use case of a name, with its exact types. */
export type NamedUseCase<Name extends UseCaseName> = Awaited<ReturnType<(typeof useCases)[Name]>>;
