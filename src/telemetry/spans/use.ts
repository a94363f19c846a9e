import { toKnownUsd } from "../../base/money.ts";
import type { JournalEvent } from "../../contract/journal-event.ts";
import { omitUnknown, type Attributes } from "./span.ts";

export interface Use {
  readonly inputTokens: number;
  readonly cachedTokens: number;
  readonly outputTokens: number;
  readonly microUsd: number;
  /** The model that was last named. */
  readonly model: string | undefined;
  /** The sources of the cost. */
  readonly sources: readonly string[];
}

/** Sums up the use, without workers, which have spans of their own. */
export function sumUse(events: readonly JournalEvent[], attempt?: number): Use {
  const reports = events.flatMap((event) =>
    event.type === "usage-reported" && (attempt === undefined || event.attempt === attempt)
      ? [event.data]
      : [],
  );
  const sum = (amount: (report: (typeof reports)[number]) => number): number =>
    reports.reduce((total, report) => total + amount(report), 0);
  return {
    inputTokens: sum((report) => report.inputTokens),
    cachedTokens: sum((report) => report.cachedTokens),
    outputTokens: sum((report) => report.outputTokens),
    microUsd: sum((report) => report.microUsd),
    model: reports.findLast(({ model }) => model !== undefined)?.model,
    sources: [...new Set(reports.map(({ source }) => source))].toSorted(),
  };
}

/** The conventions count cached input as input; attributes are omitted where nothing was reported. */
export function useAttributes(use: Use, prefix: string): Attributes {
  if (use.sources.length === 0) return {};
  return omitUnknown({
    [`${prefix}.input_tokens`]: use.inputTokens + use.cachedTokens,
    [`${prefix}.output_tokens`]: use.outputTokens,
    [`${prefix}.cache_read.input_tokens`]: use.cachedTokens,
    "ambit.cost.usd": toKnownUsd(use.microUsd) ?? undefined,
    "ambit.cost.source": use.sources.join(","),
  });
}
