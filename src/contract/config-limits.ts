import { toMicroUsd } from "./config-usd.ts";
import type { ConfigValues } from "./config.ts";
import type { Limits } from "./limits.ts";

/** The kind of root of a delegation tree; each kind has its own depth limit. */
export type RootKind = "story" | "workflow";

/** The limits a story or workflow command starts with; dollars become whole micro-dollars. */
export function limitsFromConfig(values: ConfigValues, kind: RootKind): Limits {
  const { parallel, fanOut, idle, windDown, cost, description, output, resources, ...top } =
    values.delegation;
  return {
    enabled: top.enabled,
    maxDepth: kind === "story" ? top.maxDepth : top.workflowMaxDepth,
    maxDelegations: top.maxDelegationsPerStory,
    fanOut: [fanOut.depth0, fanOut.depth1, fanOut.depth2],
    maxContextTokens: top.maxContextPerAgent,
    maxConcurrent: parallel.enabled ? parallel.maxConcurrent : 1,
    timeoutSeconds: parallel.timeoutSeconds,
    idleWarnSeconds: idle.warnSeconds,
    idleStopSeconds: idle.stopSeconds,
    maxTurns: top.maxTurns,
    softLimit: windDown.softLimit,
    graceSeconds: windDown.graceSeconds,
    storyMicroUsd: nullableMicroUsd(cost.perStoryUsd),
    delegationMicroUsd: nullableMicroUsd(cost.perDelegationUsd),
    alertMicroUsd: toMicroUsd(cost.alertThreshold),
    autoApproveMicroUsd: toMicroUsd(cost.autoApproveThreshold),
    descriptionPolicy: description.policy,
    descriptionMaxLength: description.maxLength,
    outputMaxBytes: output.maxBytes,
    memoryMaxBytes: resources.memoryBytes,
    maxProcesses: resources.processes,
    cpuMaxSeconds: resources.cpuSeconds,
    diskMaxBytes: resources.diskBytes,
  };
}

function nullableMicroUsd(dollars: number | null): number | null {
  return dollars === null ? null : toMicroUsd(dollars);
}
