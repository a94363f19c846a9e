import { join } from "node:path";
import * as z from "zod";
import type { AgentAdapter } from "../../../agents/adapter.ts";
import { readFileRange } from "../../../base/files.ts";
import { usageSchema, type UsageReport } from "../../../contract/usage.ts";
import type { Delegation } from "../../../journal/store.ts";
import { addSpent, noSpending, type Spent } from "../../../ledger/usage-meter.ts";
import { nameAttemptFiles } from "../../delegation/attempt-files.ts";
import type { RunTools } from "../../ports/run-tools.ts";
import { readKeptRequests } from "./kept-requests.ts";
import { AttemptUse } from "./attempt-use.ts";

/**
 * Books the usage that an attempt had reported, or that the metering proxy had seen, when its runtime died. All of its
 * kept output is read again: the meter knows the journal's amounts, so nothing is booked twice, whichever line came last.
 */
export async function bookKeptUse(tools: RunTools, delegation: Delegation): Promise<void> {
  const { id, attempt, work } = delegation;
  const { isEnded, booked } = await readBooked(tools, delegation);
  if (isEnded) return;
  const { directory, requests } = nameAttemptFiles(tools.stateDirectory, { id, attempt });
  const adapter = tools.findAdapter(work?.adapter ?? "command");
  const reports = [...readReports(join(directory, "stdout"), adapter), ...readKeptRequests(requests)];
  if (reports.length === 0) return;
  const use = new AttemptUse(tools, delegation, booked);
  for (const report of reports) use.queueReport(report);
  await use.bookReports();
}

function* readReports(file: string, adapter: AgentAdapter): Generator<UsageReport> {
  for (const line of readLines(file))
    for (const event of adapter.parse(line)) if (event.kind === "usage") yield event;
}

const CHUNK_BYTES = 1024 * 1024;
/** No line of an agent's stream is longer; the rest of such a line is not a report. */
const MAX_LINE_LENGTH = 16 * 1024 * 1024;

/** Waits for nothing, because tests run recovery with a model of time. */
function* readLines(file: string): Generator<string> {
  const decoder = new TextDecoder();
  let rest = "";
  for (let start = 0; ; start += CHUNK_BYTES) {
    const chunk = readFileRange(file, (size) => ({
      start: Math.min(start, size),
      end: Math.min(start + CHUNK_BYTES, size),
    }));
    if (chunk === undefined || chunk.bytes.length === 0) break;
    const lines = (rest + decoder.decode(chunk.bytes, { stream: true })).split("\n");
    rest = (lines.pop() ?? "").slice(0, MAX_LINE_LENGTH);
    yield* lines;
  }
  if (rest !== "") yield rest;
}

const MAX_EVENTS = 100_000;
const bookedSchema = z.discriminatedUnion("type", [
  z.looseObject({ type: z.literal("usage-reported"), attempt: z.int(), data: usageSchema }),
  z.looseObject({ type: z.literal("attempt-ended"), attempt: z.int() }),
]);

/** The usage of the attempt in the journal. Once it ended in order, all of its usage is booked. */
async function readBooked(
  { store }: RunTools,
  { id, attempt }: Delegation,
): Promise<{ readonly isEnded: boolean; readonly booked: Spent }> {
  const events = await store.newestEvents(MAX_EVENTS, { delegation: id });
  const own = events
    .map(({ body }) => bookedSchema.safeParse(JSON.parse(body)).data)
    .filter((event) => event?.attempt === attempt);
  const used = own.flatMap((event) => (event?.type === "usage-reported" ? [event.data] : []));
  return {
    isEnded: own.some((event) => event?.type === "attempt-ended"),
    booked: used.reduce(addSpent, noSpending),
  };
}
