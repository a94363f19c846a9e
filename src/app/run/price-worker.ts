import { loadPrices } from "../../ledger/prices.ts";
import type { Spread } from "../../orchestrator/predict-split.ts";

/** Token counts of small, usual and large work; most of it is read again and again from the provider's cache. */
const uses = {
  low: { inputTokens: 20_000, cachedTokens: 60_000, outputTokens: 3000 },
  middle: { inputTokens: 60_000, cachedTokens: 300_000, outputTokens: 10_000 },
  high: { inputTokens: 150_000, cachedTokens: 1_200_000, outputTokens: 30_000 },
} as const;

/** A rough range by the price list, for projects without a history; null for a model it does not know. */
export async function priceWorker(model: string): Promise<Spread | null> {
  const priceOf = await loadPrices();
  const price = (tokens: (typeof uses)[keyof typeof uses]): number | undefined =>
    priceOf({ model, tokens, isOneRequest: false });
  const [low, middle, high] = [price(uses.low), price(uses.middle), price(uses.high)];
  if (low === undefined || middle === undefined || high === undefined) return null;
  return { low: Math.round(low), middle: Math.round(middle), high: Math.round(high) };
}
