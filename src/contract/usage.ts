import * as z from "zod";

const tokens = z.int().min(0);
const microUsd = z.int().min(0);

/**
 * The source of a cost: the agent itself, a price list, none because no price is known, or the built-in scripted
 * worker.
 */
export const usageSources = ["reported", "estimated", "unpriced", "simulated"] as const;
export type UsageSource = (typeof usageSources)[number];

/** One report of use by one attempt: always the increase since the last report, never a running total. */
export const usageSchema = z.strictObject({
  model: z.string().min(1).max(200).optional(),
  /** Input that was not read from a cache. */
  inputTokens: tokens,
  cachedTokens: tokens.default(0),
  outputTokens: tokens,
  microUsd,
  source: z.enum(usageSources),
});

export type Usage = z.infer<typeof usageSchema>;

/** Tokens as a provider counts them. */
export type Tokens = Pick<Usage, "inputTokens" | "cachedTokens" | "outputTokens">;

/** The tokens that count against a budget: everything a provider reads or writes. */
export function totalTokens(usage: Tokens): number {
  return usage.inputTokens + usage.cachedTokens + usage.outputTokens;
}

/**
 * Usage that an agent reports. `step`: of this one request. `run`: since its process started. `session`: since the
 * session began, earlier attempts included. `request`: of one request seen on its way to the provider, which the
 * agent may report as well. Reports with one id describe the same thing, and the larger counts; reports of one scope
 * with different ids add up. `microUsd` is null where the agent names no price.
 */
export interface UsageReport {
  readonly scope: "step" | "run" | "session" | "request";
  readonly id?: string;
  readonly usage: Tokens & {
    readonly model?: string | undefined;
    readonly microUsd: number | null;
    readonly source?: UsageSource;
  };
}

/** The cost of one attempt as the agent reports it and as the price list has it, for comparison. */
export const attemptCostSchema = z.strictObject({
  bookedMicroUsd: microUsd,
  /** Null where the agent reported no dollars, or not for everything. */
  reportedMicroUsd: microUsd.nullable(),
  /** Null where no price is known for all of it. */
  estimatedMicroUsd: microUsd.nullable(),
  unpricedTokens: tokens,
});

export type AttemptCost = z.infer<typeof attemptCostSchema>;
