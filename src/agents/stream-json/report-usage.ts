import type { ReportedUsage } from "../adapter-types/agent-adapter.ts";
import { readCount } from "./read-line.ts";

export interface UsageFigures {
  /** Read by the model and not from a cache; what was written to a cache belongs here. */
  readonly input: number;
  readonly cached: number;
  readonly output: number;
  /** Absent or zero where the agent names no price. */
  readonly usd?: unknown;
  readonly model?: unknown;
}

const MAX_MODEL_LENGTH = 200;

/** Figures of any agent in the one form of the ledger, whatever they were. */
export function reportUsage({ input, cached, output, usd, model }: UsageFigures): ReportedUsage {
  const hasModel = typeof model === "string" && model !== "" && model.length <= MAX_MODEL_LENGTH;
  return {
    ...(hasModel ? { model } : {}),
    inputTokens: readCount(input),
    cachedTokens: readCount(cached),
    outputTokens: readCount(output),
    microUsd: convertToMicroUsd(usd),
  };
}

/** Nobody works for nothing: a price of zero means that the agent knew none. */
function convertToMicroUsd(usd: unknown): number | null {
  if (typeof usd !== "number" || !Number.isFinite(usd) || usd <= 0) return null;
  return readCount(usd * 1_000_000);
}
