import { join } from "node:path";
import * as z from "zod";
import { readFileEnd } from "../../base/files.ts";
import { safeText } from "../../base/safe-text.ts";
import { redactCredentials } from "../../redaction/redact.ts";
import {
  identifyCaller,
  readFromSubtree,
  readFields,
  type EngineCalls,
} from "../../orchestrator/worker-calls.ts";

const MAX_EVENTS = 200;
const MAX_BYTES = 32 * 1024;

const eventsSchema = z.strictObject({ limit: z.int().min(1).max(MAX_EVENTS).default(50) });
const outputSchema = z.strictObject({ id: z.string().min(1).max(400).optional() });

const eventSchema = z.looseObject({
  seq: z.int(),
  at: z.string(),
  type: z.string(),
  delegation: z.string().nullable(),
  attempt: z.int(),
});

/** The newest events of the caller's story: names and times, but no content of other agents. */
export async function showEvents(engine: EngineCalls, input: unknown): Promise<object> {
  const { caller, fields } = identifyCaller(engine, input);
  const { limit } = readFields(eventsSchema, fields);
  const { story } = await engine.read(caller.id);
  const events = await engine.tools.store.newestEvents(limit, { story });
  return {
    story,
    events: events.map(({ body }) => {
      const { seq, at, type, delegation, attempt } = eventSchema.parse(JSON.parse(body));
      return { seq, at, type, delegation_id: delegation, attempt };
    }),
  };
}

/** The end of the output of the newest attempt of the caller, or of a delegation below it. */
export async function showOutput(engine: EngineCalls, input: unknown): Promise<object> {
  const { caller, fields } = identifyCaller(engine, input);
  const { id: wanted } = readFields(outputSchema, fields);
  const { id, attempt } = await readFromSubtree(engine, caller, wanted ?? caller.id);
  // If the database cannot be reached, the answer is the part that this machine has.
  await engine.tools.bringOutput?.({ id, attempt }).catch(() => undefined);
  const folder = join(engine.tools.stateDirectory, "logs", id, `attempt-${attempt}`);
  const [stdout, stderr] = [readEnd(join(folder, "stdout")), readEnd(join(folder, "stderr"))];
  return { delegation_id: id, attempt, stdout, stderr };
}

/** A worker may replace its log by a link or a pipe, so only a plain file is read, and only its end. */
function readEnd(path: string): string {
  const text = readFileEnd(path, MAX_BYTES)?.bytes.toString("utf8") ?? "";
  return redactCredentials(text).text.split("\n").map(safeText).join("\n");
}
