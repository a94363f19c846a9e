import * as z from "zod";

/** No configuration, flag or story may exceed these. */
export const hardCaps = {
  maxDepth: 3,
  maxDelegations: 100,
  maxConcurrent: 64,
  timeoutSeconds: 14_400,
} as const;

/** Ways to divide stories that can be compared with each other. */
export const MAX_WAYS = 8;

/**
 * Decides about a description with shell characters or paths outside the project. `neutralise` accepts it in structured
 * requests, because it is quoted wherever it is shown or used, and refuses it in the text form `[delegate:…]`.
 */
export const descriptionPolicies = ["neutralise", "warn", "refuse"] as const;

const count = z.int().min(0);
const positive = z.int().min(1);
const microUsd = z.int().min(0);

/**
 * The resolved limits of one story, and, only ever tighter, of each delegation below it.
 * Money is whole micro-dollars everywhere inside; `null` means no limit.
 */
export const limitsSchema = z
  .strictObject({
    enabled: z.boolean(),
    maxDepth: count.max(hardCaps.maxDepth),
    maxDelegations: count.max(hardCaps.maxDelegations),
    /** Workers one manager may have, by the manager's depth: 0, 1, 2. */
    fanOut: z.tuple([count, count, count]),
    maxContextTokens: positive,
    maxConcurrent: positive.max(hardCaps.maxConcurrent),
    timeoutSeconds: positive.max(hardCaps.timeoutSeconds),
    idleWarnSeconds: positive,
    idleStopSeconds: positive,
    /** Tool calls of one attempt. Journals of versions that did not limit them have none. */
    maxTurns: positive.nullable().default(null),
    /** Share of time or budget after which a worker is asked to finish, 0–1. */
    softLimit: z.number().gt(0).max(1),
    graceSeconds: count,
    storyMicroUsd: microUsd.nullable(),
    delegationMicroUsd: microUsd.nullable(),
    alertMicroUsd: microUsd,
    autoApproveMicroUsd: microUsd,
    descriptionPolicy: z.enum(descriptionPolicies),
    descriptionMaxLength: positive,
    outputMaxBytes: positive,
    memoryMaxBytes: positive.nullable(),
    maxProcesses: positive.nullable(),
    cpuMaxSeconds: positive.nullable(),
    /** Disk space of one attempt. Journals of versions that did not limit it have none. */
    diskMaxBytes: positive.nullable().default(null),
  })
  .readonly();

export type Limits = z.infer<typeof limitsSchema>;

/** The defaults; workflow commands start from `maxDepth: 3`. */
export const defaultLimits: Limits = {
  enabled: true,
  maxDepth: 2,
  maxDelegations: 10,
  fanOut: [10, 5, 3],
  maxContextTokens: 100_000,
  maxConcurrent: 3,
  timeoutSeconds: 1800,
  idleWarnSeconds: 600,
  idleStopSeconds: 900,
  maxTurns: 300,
  softLimit: 0.9,
  graceSeconds: 30,
  storyMicroUsd: null,
  delegationMicroUsd: null,
  alertMicroUsd: 10_000_000,
  autoApproveMicroUsd: 5_000_000,
  descriptionPolicy: "neutralise",
  descriptionMaxLength: 500,
  outputMaxBytes: 64 * 1024 * 1024,
  memoryMaxBytes: null,
  maxProcesses: null,
  cpuMaxSeconds: null,
  diskMaxBytes: null,
};
