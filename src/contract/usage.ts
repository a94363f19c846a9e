import * as z from "zod";

const tokens = z.int().min(0);

/** One report of use by one attempt: always the increase since the last report, never a running total. */
export const usageSchema = z.strictObject({
  model: z.string().min(1).max(200).optional(),
  /** Input that was not read from a cache. */
  inputTokens: tokens,
  cachedTokens: tokens.default(0),
  outputTokens: tokens,
  microUsd: z.int().min(0),
  source: z.enum(["reported", "estimated", "simulated"]),
});

export type Usage = z.infer<typeof usageSchema>;

/** Tokens that count against a budget: everything a provider reads or writes for us. */
export function totalTokens(usage: Usage): number {
  return usage.inputTokens + usage.cachedTokens + usage.outputTokens;
}
