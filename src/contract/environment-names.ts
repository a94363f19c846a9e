/** One environment variable and the settings it sets. */
export interface EnvironmentName {
  readonly name: string;
  readonly keys: readonly string[];
}

/** Every variable that is read. Of two that set the same key, the earlier one wins. */
export const environmentNames: readonly EnvironmentName[] = [
  { name: "ENABLE_DELEGATION", keys: ["delegation.enabled"] },
  // A maximum depth applies to every tree, so it limits stories and workflow commands alike.
  { name: "MAX_DELEGATION_DEPTH", keys: ["delegation.maxDepth", "delegation.workflowMaxDepth"] },
  { name: "MAX_CONTEXT_PER_AGENT", keys: ["delegation.maxContextPerAgent"] },
  { name: "MAX_DELEGATIONS_PER_STORY", keys: ["delegation.maxDelegationsPerStory"] },
  { name: "DELEGATION_PARALLEL", keys: ["delegation.parallel.enabled"] },
  { name: "MAX_PARALLEL_DELEGATIONS", keys: ["delegation.parallel.maxConcurrent"] },
  { name: "DELEGATION_TIMEOUT_SECONDS", keys: ["delegation.parallel.timeoutSeconds"] },
  { name: "DELEGATION_LOG_LEVEL", keys: ["delegation.logging.level"] },
  { name: "DELEGATION_DETAILED_LOGS", keys: ["delegation.logging.detailedLogs"] },
  { name: "DELEGATION_SAVE_WORKTREES", keys: ["delegation.logging.saveWorktrees"] },
  { name: "DELEGATION_COST_ALERT_USD", keys: ["delegation.cost.alertThreshold"] },
  { name: "DELEGATION_AUTO_APPROVE_COST", keys: ["delegation.cost.autoApproveThreshold"] },
  { name: "DELEGATION_RETRY_ENABLED", keys: ["delegation.retry.enabled"] },
  { name: "MAX_RETRY_ATTEMPTS", keys: ["delegation.retry.maxAttempts"] },
];

/** A switch rather than a value: when on, diagnostics are at level `debug` whatever DELEGATION_LOG_LEVEL says. */
export const debugName: EnvironmentName = { name: "DEBUG_DELEGATION", keys: ["delegation.logging.level"] };

/** In which a command tells the supervisor about the file of `--config`. It is never read from a person's shell. */
export const CONFIG_FILE_NAME = "DELEGATION_CONFIG_FILE";

/** The names of all of them. */
export const settingNames: readonly string[] = [
  ...[...environmentNames, debugName].map(({ name }) => name),
  CONFIG_FILE_NAME,
];
