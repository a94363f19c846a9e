import * as z from "zod";

const tokens = z.int().min(0);
const microUsd = z.int().min(0);

/**
 * Who says what it cost: the agent itself, a price list, nobody because no price is known, or the built-in scripted
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

/** What a provider counts. */
export type Tokens = Pick<Usage, "inputTokens" | "cachedTokens" | "outputTokens">;

/** Tokens that count against a budget: everything a provider reads or writes for us. */
export function totalTokens(usage: Tokens): number {
  return usage.inputTokens + usage.cachedTokens + usage.outputTokens;
}

/**
 * What an agent says it has used. `step`: by this one request. `run`: since its process started. `session`: since the
 * session began, earlier attempts included. `request`: by one request that was seen on its way to the provider, which
 * the agent may report as well. Reports with one id are of the same thing, and the larger counts; reports
 * of one scope with different ids add up. `microUsd` is null where the agent names no price.
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

/** What one attempt cost by the agent's own word and by the price list, for whoever compares the two. */
export const attemptCostSchema = z.strictObject({
  bookedMicroUsd: microUsd,
  /** Null where the agent named no dollars, or not for everything. */
  reportedMicroUsd: microUsd.nullable(),
  /** Null where no price is known for all of it. */
  estimatedMicroUsd: microUsd.nullable(),
  unpricedTokens: tokens,
});

export type AttemptCost = z.infer<typeof attemptCostSchema>;
