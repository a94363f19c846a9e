import { appendFileSync, existsSync, readFileSync } from "node:fs";
import * as z from "zod";
import { usageSources, type UsageReport } from "../../../contract/usage.ts";

const count = z.int().min(0);
const requestSchema = z.strictObject({
  scope: z.literal("request"),
  id: z.string(),
  usage: z.strictObject({
    model: z.string().optional(),
    inputTokens: count,
    cachedTokens: count,
    outputTokens: count,
    microUsd: count.nullable(),
    source: z.enum(usageSources).optional(),
  }),
  /** Set for an estimate from before the provider had answered. */
  isBegun: z.literal(true).optional(),
});

type KeptRequest = z.infer<typeof requestSchema>;

/** Notes a request of a worker before it is counted, because only the runtime has seen it and may be killed any moment. */
export function keepRequest(file: string, report: UsageReport, isBegun = false): void {
  try {
    const line = { ...report, scope: "request", ...(isBegun ? { isBegun } : {}) };
    appendFileSync(file, `${JSON.stringify(line)}\n`, { mode: 0o600 });
  } catch {
    // Without room for the note the request is still booked; only a kill at this moment would lose it.
  }
}

/** Reads the notes about an attempt's requests. An estimate counts only if no report followed it. */
export function readKeptRequests(file: string): readonly UsageReport[] {
  if (!existsSync(file)) return [];
  const lines = readFileSync(file, "utf8").split("\n").flatMap(parseLine);
  const reported = new Set(lines.filter(({ isBegun }) => isBegun !== true).map(({ id }) => id));
  return lines
    .filter(({ id, isBegun }) => isBegun !== true || !reported.has(id))
    .map(({ scope, id, usage: { source, ...usage } }) => ({
      scope,
      id,
      usage: source === undefined ? usage : { ...usage, source },
    }));
}

/** The last line may be half written. */
function parseLine(line: string): readonly KeptRequest[] {
  try {
    const kept = requestSchema.safeParse(JSON.parse(line));
    return kept.success ? [kept.data] : [];
  } catch {
    // The line is not JSON: see above.
    return [];
  }
}
