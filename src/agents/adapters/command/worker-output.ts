import { workerOutputSchema, type WorkerOutput } from "../../../contract/delegation-request.ts";
import type { ReportedUsage } from "../../adapter-types/agent-adapter.ts";

const MARK = '"tokens_in"';
const MAX_LINE_LENGTH = 100_000;

/** `{"success":true,"tokens_in":1200,"tokens_out":300,"cost":0.01,…}` on a line of its own is how standalone workers report. */
export function parseWorkerOutput(line: string): WorkerOutput | undefined {
  if (!line.startsWith("{") || line.length > MAX_LINE_LENGTH || !line.includes(MARK)) return undefined;
  try {
    const parsed = workerOutputSchema.safeParse(JSON.parse(line));
    return parsed.success ? parsed.data : undefined;
  } catch {
    // A line that only looks like a report is text.
    return undefined;
  }
}

/** For the whole run; an absent figure counts as zero. */
export function readWorkerUsage({ tokens_in, tokens_out, cost }: WorkerOutput): ReportedUsage {
  return {
    inputTokens: tokens_in ?? 0,
    cachedTokens: 0,
    outputTokens: tokens_out ?? 0,
    microUsd: cost === null ? null : Math.round(cost * 1_000_000),
  };
}
