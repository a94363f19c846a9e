import type { ReportedUsage } from "../adapter-types/agent-adapter.ts";
import { readCount } from "./read-line.ts";

export interface UsageFigures {
  /** Input that was not read from a cache; tokens written to a cache count here. */
  readonly input: number;
  readonly cached: number;
  readonly output: number;
  /** Absent or zero if the agent reports no price. */
  readonly usd?: unknown;
  readonly model?: unknown;
}

const MAX_MODEL_LENGTH = 200;

/** Converts an agent's figures into the form of the ledger, whatever they are. */
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

/** No model is free, so a price of zero means that the agent does not know it. */
function convertToMicroUsd(usd: unknown): number | null {
  if (typeof usd !== "number" || !Number.isFinite(usd) || usd <= 0) return null;
  return readCount(usd * 1_000_000);
}
