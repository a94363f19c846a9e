import { usageSchema, type Usage } from "../../../contract/usage.ts";
import type { ReportedUsage } from "../../adapter-types/agent-adapter.ts";

/** A line that says that the scripted worker has run out of context. */
export const EXHAUSTED_LINE = `{"ambit":"context-exhausted"}`;

/** With or without the spaces that some languages write. */
const PREFIX = /^\{ ?"ambit": ?"usage" ?,/;
const MAX_LINE_LENGTH = 2000;

/**
 * `{"ambit":"usage","input_tokens":1,"output_tokens":2,"usd":0.01}` on a line of its own is how a program without a
 * vendor's event format reports usage. Without `usd`, `model` may give a price.
 */
export function parseUsageLine(line: string): ReportedUsage | undefined {
  if (line.length > MAX_LINE_LENGTH || !PREFIX.test(line)) return undefined;
  try {
    const value: unknown = JSON.parse(line);
    return readUsageFields(new Map(Object.entries(value ?? {})));
  } catch {
    // A line that only looks like a report is text.
    return undefined;
  }
}

export function renderUsageLine(usage: Usage): string {
  return JSON.stringify({
    ambit: "usage",
    ...(usage.model === undefined ? {} : { model: usage.model }),
    input_tokens: usage.inputTokens,
    cached_tokens: usage.cachedTokens,
    output_tokens: usage.outputTokens,
    usd: usage.microUsd / 1_000_000,
    source: usage.source,
  });
}

function readUsageFields(fields: ReadonlyMap<string, unknown>): ReportedUsage | undefined {
  const usd = fields.get("usd") ?? 0;
  const parsed = usageSchema.safeParse({
    ...(fields.has("model") ? { model: fields.get("model") } : {}),
    inputTokens: fields.get("input_tokens"),
    cachedTokens: fields.get("cached_tokens") ?? 0,
    outputTokens: fields.get("output_tokens"),
    microUsd: typeof usd === "number" ? Math.round(usd * 1_000_000) : usd,
    source: fields.get("source") ?? "reported",
  });
  if (!parsed.success) return undefined;
  return (fields.get("usd") ?? null) === null ? { ...parsed.data, microUsd: null } : parsed.data;
}
