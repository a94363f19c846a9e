/** `ambit/contract`: everything a program needs to speak with Ambit, and nothing that runs agents. */
export {
  agentReturnSchema,
  artifactTypes,
  isRetryable,
  returnStatuses,
  type AgentReturn,
  type Artifact,
  type ReturnError,
  type ReturnStatus,
} from "./agent-return.ts";
export {
  configSchema,
  storyDelegationConfigSchema,
  type ConfigValues,
  type StoryDelegationConfig,
} from "./config.ts";
export { limitsFromConfig } from "./config-limits.ts";
export { childId, depthOfId } from "./child-id.ts";
export { lintCriteria } from "./criteria-lint.ts";
export {
  delegationContextSchema,
  delegationListSchema,
  delegationRequestSchema,
  delegationResultSchema,
  workerOutputSchema,
  type DelegationContext,
  type DelegationList,
  type DelegationRequest,
  type DelegationResult,
  type WorkerOutput,
} from "./delegation-request.ts";
export { countDirectives, isDirective, parseDirectives, parseMcpDirectives } from "./directive.ts";
export { errorCodes, exitCodeFor, type ErrorCode } from "./error-code.ts";
export { exitCode, exitCodeMeanings, type ExitCode } from "./exit-code.ts";
export { explainRejectedReturn } from "./explain-return.ts";
export { isSessionId, storyIdSchema } from "./identity.ts";
export {
  journalEventSchema,
  journalEventTypes,
  type JournalEvent,
  type JournalEventType,
} from "./journal-event.ts";
export { jsonSchemas } from "./json-schemas.ts";
export { defaultLimits, hardCaps, limitsSchema, type Limits } from "./limits.ts";
export { messageSchema, parseMessage, type AgentMessage, type AgentMessageType } from "./message.ts";
export { returnCaps } from "./read-return.ts";
export { returnInstruction } from "./return-instruction.ts";
export type { Problem } from "./return-problem.ts";
export { childPrd, prdSchema, userStorySchema, type Prd, type UserStory } from "./story.ts";
export {
  criterionSchema,
  taskSchema,
  taskStatuses,
  type Criterion,
  type CriterionCheck,
  type CriterionVerdict,
  type Task,
  type TaskStatus,
} from "./task.ts";
export { checkTodos, migrateLegacyTodo, todoItemSchema, type TodoItem } from "./todo-item.ts";
export { usageSchema, type Usage } from "./usage.ts";
export {
  validateReturn,
  validateReturnBytes,
  type ArtifactProbe,
  type ReturnExpectation,
  type ReturnVerdict,
} from "./validate-return.ts";
