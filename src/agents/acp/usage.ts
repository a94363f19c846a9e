import { readFieldAt } from "../../base/json.ts";
import type { Usage } from "../../contract/usage.ts";

/** Input that came from a cache is not input. */
export type Tokens = Pick<Usage, "inputTokens" | "cachedTokens" | "outputTokens">;

/**
 * Agents count in two ways: `inputTokens` includes cached tokens or not, and thinking is part of the output or
 * separate. The total shows which way it is.
 */
export function readTokenCounts(usage: unknown): Tokens | undefined {
  const input = readCount(usage, "inputTokens", "input_tokens");
  const output = readCount(usage, "outputTokens", "output_tokens");
  if (input === undefined || output === undefined) return undefined;
  const read = readCount(usage, "cachedReadTokens", "cachedInputTokens", "cached_tokens") ?? 0;
  const written = readCount(usage, "cachedWriteTokens", "cacheWriteInputTokens") ?? 0;
  const thought = readCount(usage, "thoughtTokens", "reasoningOutputTokens") ?? 0;
  const total = readCount(usage, "totalTokens", "total_tokens");
  const isCacheInside = total === input + output || total === input + output + thought;
  const isThoughtBeside = total === input + output + thought + (isCacheInside ? 0 : read + written);
  return {
    inputTokens: isCacheInside ? Math.max(0, input - read) : input + written,
    cachedTokens: read,
    outputTokens: output + (isThoughtBeside ? thought : 0),
  };
}

/** The usage of a whole turn, from any of the places where agents report it. */
export function readTurnTokens(result: {
  readonly usage?: unknown;
  readonly _meta?: unknown;
}): Tokens | undefined {
  return readTokenCounts(result.usage) ?? readTokenCounts(readFieldAt(result._meta, "quota", "token_count"));
}

/** The model of a turn, if there was exactly one. */
export function readTurnModel(meta: unknown): string | undefined {
  const models = readFieldAt(meta, "quota", "model_usage");
  const only: unknown = Array.isArray(models) && models.length === 1 ? models[0] : undefined;
  const name = readFieldAt(only, "model");
  return typeof name === "string" && name !== "" ? name : undefined;
}

function readCount(usage: unknown, ...names: readonly string[]): number | undefined {
  for (const name of names) {
    const value = readFieldAt(usage, name);
    if (typeof value === "number" && Number.isSafeInteger(value) && value >= 0) return value;
  }
  return undefined;
}
