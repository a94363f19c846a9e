import { toKnownUsd } from "../base/money.ts";
import { readEventFields } from "./events/fields.ts";
import type { SeenEvent } from "./events/seen-event.ts";

export const costKeys = ["model", "agent", "day"] as const;
type CostKey = (typeof costKeys)[number];

interface Sum {
  readonly names: readonly string[];
  reports: number;
  tokensIn: number;
  tokensOut: number;
  microUsd: number;
  isEstimated: boolean;
}

/** Sums reports of usage by model, agent and UTC day; stories' own use is in it. */
export class CostGroups {
  readonly #keys: readonly CostKey[];
  readonly #sums = new Map<string, Sum>();

  constructor(keys: readonly CostKey[]) {
    this.#keys = keys;
  }

  add(event: SeenEvent, agent: string): void {
    const data = readEventFields(event.data);
    const known = { model: data.text("model"), agent, day: event.at.slice(0, "2026-01-20".length) };
    const names = this.#keys.map((key) => known[key]);
    const key = names.join("\n");
    const sum = this.#sums.get(key) ?? emptySum(names);
    sum.reports += 1;
    sum.tokensIn += data.amount("inputTokens") + data.amount("cachedTokens");
    sum.tokensOut += data.amount("outputTokens");
    sum.microUsd += data.amount("microUsd");
    sum.isEstimated ||= data.text("source") !== "reported";
    this.#sums.set(key, sum);
  }

  /** Sorted by their names. */
  list() {
    return [...this.#sums]
      .toSorted(([one], [other]) => (one < other ? -1 : 1))
      .map(([, sum]) => ({
        group: [...sum.names],
        reports: sum.reports,
        tokens_in: sum.tokensIn,
        tokens_out: sum.tokensOut,
        cost_usd: toKnownUsd(sum.microUsd),
        estimated: sum.isEstimated,
      }));
  }
}

function emptySum(names: readonly string[]): Sum {
  return { names, reports: 0, tokensIn: 0, tokensOut: 0, microUsd: 0, isEstimated: false };
}
