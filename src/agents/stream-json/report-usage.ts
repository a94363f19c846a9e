import type { ReportedUsage } from "../adapter-types/agent-adapter.ts";
import { countOf } from "./read-line.ts";

export interface UsageFigures {
  /** Read by the model and not from a cache; what was written to a cache belongs here. */
  readonly input: number;
  readonly cached: number;
  readonly output: number;
  /** Absent or zero where the agent names no price. */
  readonly usd?: unknown;
  readonly model?: unknown;
}

const LONGEST_MODEL = 200;

/** Figures of any agent in the one form of the ledger, whatever they were. */
export function reportUsage({ input, cached, output, usd, model }: UsageFigures): ReportedUsage {
  const hasModel = typeof model === "string" && model !== "" && model.length <= LONGEST_MODEL;
  return {
    ...(hasModel ? { model } : {}),
    inputTokens: countOf(input),
    cachedTokens: countOf(cached),
    outputTokens: countOf(output),
    microUsd: microUsdOf(usd),
  };
}

/** Nobody works for nothing: a price of zero means that the agent knew none. */
function microUsdOf(usd: unknown): number | null {
  if (typeof usd !== "number" || !Number.isFinite(usd) || usd <= 0) return null;
  return countOf(usd * 1_000_000);
}
