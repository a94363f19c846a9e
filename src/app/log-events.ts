import * as z from "zod";
import type { StoreReader } from "../journal/store.ts";
import { findTarget, type Target } from "./project/find-target.ts";
import { buildEventFilter } from "./logs/log-question.ts";
import { readStore } from "./project/open-project.ts";
import { defineUseCase } from "./use-case.ts";

const input = () =>
  z.strictObject({
    id: z
      .string()
      .default("")
      .describe("An id, its beginning or a path such as 2.1; the newest story by default"),
    tail: z.int().min(0).optional().describe("Only the newest events"),
  });

const output = () =>
  z.looseObject({
    story: z.string().nullable(),
    id: z.string().nullable(),
    events: z.array(z.looseObject({ type: z.string() })).describe("See journal-event.json"),
  });

/** Reads the events of a story or delegation, as they are stored. */
export const logEventsUseCase = defineUseCase({
  input,
  output,
  isReadOnly: true,
  run: (context, { id, tail }) =>
    readStore(context, async (reader) => {
      const target = await findTarget(reader, id);
      if (reader === undefined || target === undefined) return { story: null, id: null, events: [] };
      const bodies = await readBodies(reader, target, tail);
      return { story: target.story.id, id: target.id, events: bodies.flatMap(parseEvent) };
    }),
});

type StoredEvent = z.output<ReturnType<typeof output>>["events"][number];

function parseEvent(body: string): readonly StoredEvent[] {
  const event: unknown = JSON.parse(body);
  return isEvent(event) ? [event] : [];
}

function isEvent(value: unknown): value is StoredEvent {
  return typeof value === "object" && value !== null && "type" in value;
}

const PAGE = 500;

async function readBodies(
  reader: StoreReader,
  target: Target,
  tail: number | undefined,
): Promise<readonly string[]> {
  const filter = buildEventFilter(target);
  if (tail !== undefined) return (await reader.newestEvents(tail, filter)).map(({ body }) => body);
  const bodies: string[] = [];
  for (let cursor = 0; ;) {
    const page = await reader.eventsAfter(cursor, PAGE, filter);
    bodies.push(...page.events.map(({ body }) => body));
    cursor = page.cursor;
    if (page.events.length < PAGE) return bodies;
  }
}
