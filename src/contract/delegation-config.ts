import * as z from "zod";
import { accessControlSchema } from "./access-control.ts";
import { usdSchema } from "./config-usd.ts";
import { descriptionPolicies, hardCaps, MAX_WAYS } from "./limits.ts";

const count = z.int().min(0);
const positive = z.int().min(1);
const depth = count.max(hardCaps.maxDepth);

/** In which directions the depth of a story may follow the results of earlier ones. */
const depthAdaptations = ["off", "lower", "both"] as const;

/** The `delegation` section, which a `delegation-config.json` holds alone. */
export const delegationSchema = z.strictObject({
  enabled: z.boolean().default(true).describe("Whether agents may delegate at all"),
  maxDepth: depth.default(2).describe("Levels of workers below a story"),
  adaptDepth: z
    .enum(depthAdaptations)
    .default("lower")
    .describe(
      "Whether a story's depth follows the results of earlier stories: off, lower (never above maxDepth), or both (up to the hard cap of 3)",
    ),
  ways: z
    .array(z.string().trim().min(1).max(200))
    .max(MAX_WAYS)
    .default([])
    .describe(
      "Templates for stories without --template; of several, each story gets one at random, so that they can be compared; none is without a template",
    ),
  workflowMaxDepth: depth.default(3).describe("Levels of workers below a workflow command"),
  maxContextPerAgent: positive.default(100_000).describe("Context tokens of manager and worker together"),
  maxDelegationsPerStory: count
    .max(hardCaps.maxDelegations)
    .default(10)
    .describe("Delegations of one story, over its whole tree"),
  fanOut: z
    .strictObject({
      depth0: count.default(10).describe("Workers the story itself may have"),
      depth1: count.default(5).describe("Workers each agent at depth 1 may have"),
      depth2: count.default(3).describe("Workers each agent at depth 2 may have, where the depth limit is 3"),
    })
    .prefault({}),
  parallel: z
    .strictObject({
      enabled: z
        .boolean()
        .default(true)
        .describe("Run workers at the same time; off means one after the other"),
      maxConcurrent: positive
        .max(hardCaps.maxConcurrent)
        .default(3)
        .describe("Workers running at the same time"),
      timeoutSeconds: positive
        .max(hardCaps.timeoutSeconds)
        .default(1800)
        .describe("Wall time of one delegation, where its command has no other"),
    })
    .prefault({}),
  idle: z
    .strictObject({
      warnSeconds: positive.default(600).describe("Silence after which a worker is reported"),
      stopSeconds: positive.default(900).describe("Silence after which a worker is stopped"),
      reassign: count
        .max(3)
        .default(0)
        .describe("Fresh workers that take a silent one's place before its manager gets the task back"),
      reassignLate: count
        .max(3)
        .default(0)
        .describe("The same at the deadline: each fresh worker has the delegation's time again"),
    })
    .prefault({}),
  maxTurns: positive
    .nullable()
    .default(300)
    .describe("Tool calls of one attempt, which also limits an agent that does not report its usage"),
  windDown: z
    .strictObject({
      softLimit: z
        .number()
        .gt(0)
        .max(1)
        .default(0.9)
        .describe("Share of time or budget after which a worker is asked to finish"),
      graceSeconds: count
        .default(30)
        .describe("Time a worker has to finish once asked; at most half of its time limit"),
    })
    .prefault({}),
  cost: z
    .strictObject({
      alertThreshold: usdSchema.default(10).describe("Dollars of one story above which you are alerted"),
      autoApproveThreshold: usdSchema.default(5).describe("Estimated dollars up to which no person is asked"),
      perStoryUsd: usdSchema.nullable().default(null).describe("Dollars one story may spend"),
      perDelegationUsd: usdSchema.nullable().default(null).describe("Dollars one delegation may spend"),
    })
    .prefault({}),
  description: z
    .strictObject({
      policy: z
        .enum(descriptionPolicies)
        .default("neutralise")
        .describe("Shell characters in a description: neutralise refuses them only in [delegate:…]"),
      maxLength: positive.default(500).describe("Characters of a description"),
    })
    .prefault({}),
  output: z
    .strictObject({
      maxBytes: positive.default(64 * 1024 * 1024).describe("Output of one attempt, in bytes"),
    })
    .prefault({}),
  resources: z
    .strictObject({
      memoryBytes: positive.nullable().default(null).describe("Memory of one attempt, in bytes"),
      processes: positive.nullable().default(null).describe("Processes of one attempt"),
      cpuSeconds: positive.nullable().default(null).describe("CPU time of one attempt"),
      diskBytes: positive
        .nullable()
        .default(null)
        .describe("Disk space that one attempt may take in its workspace, in bytes"),
    })
    .prefault({}),
  retry: z
    .strictObject({
      enabled: z
        .boolean()
        .default(false)
        .describe("Try a failed delegation again when its error is recoverable"),
      maxAttempts: positive.default(3).describe("Attempts of one delegation, the first included"),
      backoffMultiplier: z.number().min(1).default(2).describe("Growth of the pause between attempts"),
    })
    .prefault({}),
  logging: z
    .strictObject({
      level: z
        .enum(["debug", "info", "warn", "error"])
        .default("info")
        .describe("How much of stories the supervisor's log records: failures, their course, or every event"),
      detailedLogs: z
        .boolean()
        .default(false)
        .describe("Archive prompts, output, returns and events of each delegation when it ends"),
      saveWorktrees: z.boolean().default(false).describe("Keep workspaces after their work is merged"),
    })
    .prefault({}),
  accessControl: accessControlSchema.optional().describe("Rules per depth, another spelling of fanOut"),
});
