import { exitCode, type ExitCode } from "./exit-code.ts";

/**
 * Every published code, with the exit status a command ends with when it is the primary problem.
 * Codes are wire facts: never rename or reuse one.
 */
export const errorCodes = {
  // Limits (guards)
  CYCLE_DETECTED: exitCode.limit,
  MAX_DEPTH_EXCEEDED: exitCode.limit,
  TOO_MANY_DELEGATIONS: exitCode.limit,
  CONTEXT_BUDGET_EXCEEDED: exitCode.limit,
  COST_LIMIT_EXCEEDED: exitCode.limit,
  BUDGET_UNMETERED: exitCode.limit,
  DESCRIPTION_TOO_LONG: exitCode.limit,
  SUSPICIOUS_CHARACTERS: exitCode.limit,
  SUSPICIOUS_PATH: exitCode.limit,
  EMPTY_DESCRIPTION: exitCode.limit,
  TIMEOUT: exitCode.deadline,
  STALLED: exitCode.deadline,
  OUTPUT_LIMIT_EXCEEDED: exitCode.limit,
  RESOURCE_LIMIT_EXCEEDED: exitCode.limit,
  DISK_LIMIT_EXCEEDED: exitCode.limit,
  DELEGATION_DISABLED: exitCode.limit,

  // Return contract
  NOT_JSON: exitCode.failed,
  TRUNCATED: exitCode.failed,
  NOT_AN_OBJECT: exitCode.failed,
  MISSING_FIELD: exitCode.failed,
  INVALID_FIELD: exitCode.failed,
  DUPLICATE_KEY: exitCode.failed,
  INVALID_STATUS: exitCode.failed,
  INTERRUPTED: exitCode.failed,
  SESSION_MISMATCH: exitCode.failed,
  SUMMARY_EMPTY: exitCode.failed,
  SUMMARY_TOO_LONG: exitCode.failed,
  ERRORS_REQUIRED: exitCode.failed,
  INVALID_ARTIFACT_TYPE: exitCode.failed,
  ARTIFACT_REQUIRED: exitCode.failed,
  ARTIFACT_MISSING: exitCode.failed,
  ARTIFACT_EMPTY: exitCode.failed,
  ARTIFACT_PATH_ABSOLUTE: exitCode.failed,
  ARTIFACT_PATH_ESCAPES: exitCode.failed,
  DEPTH_PATH_MISMATCH: exitCode.failed,
  TOO_LARGE: exitCode.failed,
  TOO_DEEP: exitCode.failed,

  // Errors an agent may report, or that the runtime reports about one
  VALIDATION_FAILED: exitCode.failed,
  TOOL_UNAVAILABLE: exitCode.environment,
  BUILD_ERROR: exitCode.failed,
  FILE_NOT_FOUND: exitCode.failed,
  STATUS_SYNC_FAILED: exitCode.failed,
  GIT_COMMIT_FAILED: exitCode.failed,
  SUBTASK_CREATION_FAILED: exitCode.failed,
  UNKNOWN_ERROR: exitCode.failed,

  // Directive text
  INVALID_SYNTAX: exitCode.failed,
  INVALID_HOURS: exitCode.failed,

  // Task numbers, markers and todo lists
  INVALID_RANGE: exitCode.failed,
  INVALID_TASK_NUMBER: exitCode.failed,
  NO_TASK_NUMBER: exitCode.failed,
  RANGE_TOO_LARGE: exitCode.failed,
  UNKNOWN_MARKER: exitCode.failed,
  INVALID_SESSION_ID: exitCode.failed,
  NOT_AN_ARRAY: exitCode.failed,
  DUPLICATE_ID: exitCode.failed,

  // A manager's task list and the mailbox
  TASK_MOVE_REFUSED: exitCode.failed,
  TASK_NOT_VERIFIED: exitCode.failed,
  TASK_ALREADY_DELEGATED: exitCode.limit,
  RECIPIENT_NOT_FOUND: exitCode.usage,
  MESSAGE_INVALID: exitCode.usage,
  MAILBOX_FULL: exitCode.limit,

  // Task store
  TASK_NOT_FOUND: exitCode.usage,
  TASK_FILE_BROKEN: exitCode.failed,
  TASK_FILE_CONFLICT: exitCode.conflict,
  TASK_FILE_TOO_LARGE: exitCode.failed,
  TASK_STATUS_UNKNOWN: exitCode.failed,
  TASK_INVALID: exitCode.usage,
  PLAN_EXISTS: exitCode.usage,

  // Store and journal
  STORY_NOT_FOUND: exitCode.usage,
  STORY_EXISTS: exitCode.usage,
  DELEGATION_NOT_FOUND: exitCode.usage,
  PARENT_NOT_RUNNING: exitCode.limit,
  STALE_ATTEMPT: exitCode.limit,
  CHAIN_BROKEN: exitCode.failed,
  PROJECTION_DIFFERS: exitCode.failed,
  ILLEGAL_TRANSITION: exitCode.failed,
  STORE_TOO_NEW: exitCode.environment,
  STORE_UNUSABLE: exitCode.environment,
  STORE_BUSY: exitCode.environment,
  STORE_DAMAGED: exitCode.environment,
  STORE_DIVERGED: exitCode.environment,
  CLUSTER_ADDRESS_INVALID: exitCode.environment,
  CLUSTER_UNREACHABLE: exitCode.environment,
  CLUSTER_FORBIDDEN: exitCode.environment,
  CLUSTER_UNSUITABLE: exitCode.environment,
  CLUSTER_NO_PROJECT: exitCode.environment,
  CLUSTER_RUNS_ELSEWHERE: exitCode.environment,
  CLUSTER_NOT_EMPTY: exitCode.failed,
  CLUSTER_HUB_UNREACHABLE: exitCode.environment,
  CLUSTER_NAME_TAKEN: exitCode.usage,
  SQLITE_TOO_OLD: exitCode.environment,

  // Supervisor and recovery
  SUPERVISOR_RUNNING: exitCode.environment,
  SUPERVISOR_GONE: exitCode.failed,
  SUPERVISOR_VERSION: exitCode.environment,
  SUPERVISOR_STUCK: exitCode.environment,
  ORPHANED: exitCode.partial,

  // Agent CLIs
  AGENT_NOT_INSTALLED: exitCode.environment,
  AGENT_NOT_LOGGED_IN: exitCode.environment,
  AGENT_NEEDS_PERMISSION: exitCode.blocked,
  AGENT_STREAM_BROKEN: exitCode.failed,
  AGENT_LOOPED: exitCode.failed,
  AGENT_TURN_LIMIT: exitCode.limit,
  AGENT_STARTED_AGENTS: exitCode.limit,
  PROVIDER_FAILED: exitCode.failed,
  RATE_LIMITED: exitCode.environment,

  // Agents, proof and merging
  AGENT_NOT_FOUND: exitCode.usage,
  CRITERION_FAILED: exitCode.failed,
  CRITERION_UNVERIFIED: exitCode.blocked,
  RATCHET_BROKEN: exitCode.failed,
  CRITERION_NOT_FOUND: exitCode.usage,
  CHECK_FAILED: exitCode.failed,
  CHECK_STOPPED: exitCode.failed,
  CHECK_NOT_RUN: exitCode.failed,
  DECISION_BY_WORKER: exitCode.usage,
  DECISION_WITHOUT_REASON: exitCode.usage,
  DECISION_NEEDS_PERSON: exitCode.usage,
  DECISION_AGAINST_CHECK: exitCode.usage,
  UNRELATED_HISTORIES: exitCode.failed,
  MERGE_CONFLICT: exitCode.conflict,
  MERGE_REFUSED: exitCode.failed,
  SCOPE_VIOLATION: exitCode.failed,
  CHANGED_OUTSIDE: exitCode.failed,
  HOST_NOT_ALLOWED: exitCode.failed,
  SENSITIVE_PATHS: exitCode.blocked,
  DEPENDENCY_FAILED: exitCode.failed,
  DEPENDENCY_UNKNOWN: exitCode.usage,
  ANSWER_NEEDED: exitCode.blocked,
  APPROVAL_REJECTED: exitCode.blocked,
  APPROVAL_EXPIRED: exitCode.blocked,
  APPROVAL_NOT_FOUND: exitCode.usage,
  NOT_A_WORKER: exitCode.usage,
  NOT_A_PERSON: exitCode.usage,
  DISK_FULL: exitCode.environment,
  FILE_NOT_ALLOWED: exitCode.environment,

  // Repositories and workspaces
  UNBORN_HEAD: exitCode.environment,
  BARE_REPOSITORY: exitCode.environment,
  GIT_TOO_OLD: exitCode.environment,
  NODE_TOO_OLD: exitCode.environment,
  GIT_FAILED: exitCode.environment,
  REF_STORAGE_UNSUPPORTED: exitCode.environment,
  REF_CHANGE_REFUSED: exitCode.failed,
  BRANCH_EXISTS: exitCode.environment,
  BRANCH_CHECKED_OUT: exitCode.environment,
  BRANCH_NAME_TAKEN: exitCode.environment,
  INVALID_WORKSPACE_ID: exitCode.usage,
  WORKSPACE_UNSUPPORTED: exitCode.environment,
  WORKSPACE_EXISTS: exitCode.environment,
  WORKSPACE_NOT_MADE: exitCode.environment,
  WORKSPACE_LOCK_BUSY: exitCode.environment,
  WORKSPACE_NOT_FOUND: exitCode.failed,
  WORKSPACE_NOT_OURS: exitCode.environment,
  WORKSPACE_RECORD_BROKEN: exitCode.environment,
  WORKSPACE_GONE: exitCode.failed,
  WORKSPACE_TAMPERED: exitCode.failed,
  DEPENDENCIES_NOT_COPIED: exitCode.environment,
  MOUNT_FAILED: exitCode.environment,
  NO_FREE_PORTS: exitCode.environment,
  SLOT_NOT_CLEAN: exitCode.failed,
  WORK_NOT_IMPORTED: exitCode.failed,
  WORK_NOT_REACHABLE: exitCode.failed,
  WORK_NOT_SAVED: exitCode.failed,
  SANDBOX_UNAVAILABLE: exitCode.environment,
  HAND_OVER_REFUSED: exitCode.failed,

  // Templates
  TEMPLATE_NOT_FOUND: exitCode.usage,
  TEMPLATE_INVALID: exitCode.usage,
  TEMPLATE_EXISTS: exitCode.usage,
  TEMPLATE_SOURCE_REFUSED: exitCode.usage,

  // Command line, configuration, environment
  USAGE: exitCode.usage,
  CONFIG_INVALID: exitCode.usage,
  CONFIG_OUT_OF_RANGE: exitCode.usage,
  CONFIG_CONTRADICTION: exitCode.usage,
  UNKNOWN_CONFIG_KEY: exitCode.usage,
  INPUT_UNREADABLE: exitCode.usage,
  OUTPUT_UNWRITABLE: exitCode.environment,
  NOT_A_REPOSITORY: exitCode.environment,
  STATE_NOT_OURS: exitCode.environment,
  PROJECT_NOT_TRUSTED: exitCode.usage,
  TRACES_NOT_SENT: exitCode.environment,
  INTERNAL: exitCode.failed,
} as const satisfies Record<string, ExitCode>;

export type ErrorCode = keyof typeof errorCodes;

export function isErrorCode(value: string): value is ErrorCode {
  return Object.hasOwn(errorCodes, value);
}

/** The exit status for a code; unknown codes count as plain failures. */
export function exitCodeFor(code: string): ExitCode {
  return isErrorCode(code) ? errorCodes[code] : exitCode.failed;
}
