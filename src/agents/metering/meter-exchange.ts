import type { IncomingMessage } from "node:http";
import type { UsageReport } from "../../contract/usage.ts";
import { randomBase36 } from "../../base/ids.ts";
import type { Ending, Watcher } from "./forward.ts";
import type { UsageReading } from "./read-usage.ts";
import { createUsageTap, type UsageTap } from "./usage-tap.ts";

const CHARACTERS_PER_TOKEN = 4;
const ID_LENGTH = 16;

export interface UsageListeners {
  readonly onUsage: (report: UsageReport) => void;
  readonly onBegun?: (report: UsageReport) => void;
}

/** Reports the usage of one request: when the provider first states it, and at the end. */
export function meterExchange(
  message: IncomingMessage,
  { onUsage, onBegun }: UsageListeners,
): { readonly watcher: Watcher; readonly settle: (ending: Ending) => Promise<void> } {
  const id = `request-${randomBase36(ID_LENGTH)}`;
  let tap: UsageTap | undefined;
  let isAnnounced = false;
  let askedBytes = 0;
  message.on("data", (bytes: Buffer) => (askedBytes += bytes.length));

  const watcher: Watcher = {
    onAnswer: (answer) => {
      if ((answer.statusCode ?? 500) >= 300) return;
      const { "content-type": contentType = "", "content-encoding": contentEncoding = "" } = answer.headers;
      tap = createUsageTap({ contentType, contentEncoding });
      onBegun?.(estimateUsage(id, tap.reading(), askedBytes));
    },
    onBytes: (bytes) => {
      tap?.write(bytes);
      const reading = tap?.reading();
      if (isAnnounced || reading?.tokens === undefined) return;
      isAnnounced = true;
      onUsage(buildUsageReport(id, reading));
    },
  };
  const settle = async (ending: Ending): Promise<void> => {
    // The provider refused it or never answered, so nothing was used.
    if (tap === undefined) return;
    const reading = await tap.end();
    const isWhole = ending.kind === "complete" && reading.tokens !== undefined;
    onUsage(isWhole ? buildUsageReport(id, reading) : estimateUsage(id, reading, askedBytes));
  };
  return { watcher, settle };
}

function buildUsageReport(id: string, { model, tokens }: UsageReading): UsageReport {
  return {
    scope: "step",
    id,
    usage: {
      ...(model === undefined ? {} : { model }),
      inputTokens: tokens?.input ?? 0,
      cachedTokens: tokens?.cached ?? 0,
      outputTokens: tokens?.output ?? 0,
      microUsd: null,
    },
  };
}

/** Providers charge for the part of an answer before a cut, but do not report its size. */
function estimateUsage(id: string, reading: UsageReading, askedBytes: number): UsageReport {
  const { tokens, textLength } = reading;
  const input = tokens?.input ?? Math.ceil(askedBytes / CHARACTERS_PER_TOKEN);
  const output = Math.max(tokens?.output ?? 0, Math.ceil(textLength / CHARACTERS_PER_TOKEN));
  const report = buildUsageReport(id, { ...reading, tokens: { cached: 0, ...tokens, input, output } });
  return { ...report, usage: { ...report.usage, source: "estimated" } };
}
