import * as z from "zod";
import { tasksStory } from "../contract/tasks-story.ts";
import { buildAuditDocument, buildAuditList, type AuditEntry } from "../reports/audit.ts";
import { findTarget, type Target } from "./project/find-target.ts";
import { readStore } from "./project/open-project.ts";
import { defineUseCase } from "./use-case.ts";

export const DEFAULT_EVENTS = 50;

/** How many events one answer may list; the whole journal can be exported. */
export const MAX_LISTED_EVENTS = 100_000;

const input = () =>
  z.strictObject({
    story: z
      .string()
      .default("")
      .describe("An id or its beginning, or tasks for their changes; all by default"),
    limit: z.int().min(1).max(MAX_LISTED_EVENTS).optional().describe("How many of the newest events"),
  });

const event = () => z.looseObject({ seq: z.int(), hash: z.string() });

const output = () =>
  z.looseObject({
    events: z.array(event()).describe("As they are stored (see journal-event.json), oldest first"),
    head: z.looseObject({ seq: z.int(), hash: z.string() }),
  });

export type AuditAnswer = z.output<ReturnType<typeof output>>;

/** The newest events of the journal, as they are stored. */
export const auditUseCase = defineUseCase({
  input,
  output,
  isReadOnly: true,
  run: (context, { story: word, limit = DEFAULT_EVENTS }) =>
    readStore(context, async (reader) => {
      const isTasks = word === tasksStory;
      const target = word === "" || isTasks ? undefined : await findTarget(reader, word);
      if (reader === undefined) return { events: [], head: { seq: 0, hash: "0".repeat(64) } };
      const filter = isTasks ? { story: tasksStory } : buildFilter(target);
      const events = buildAuditList(await reader.newestEvents(limit, filter)).map(buildAuditDocument);
      const { seq, hash } = await reader.head();
      return { events, head: { seq, hash } };
    }),
});

/** The line that lists show for an event of the answer. */
export function describeEvents(events: AuditAnswer["events"]): readonly AuditEntry[] {
  return buildAuditList(
    events.map(({ seq, hash, ...document }) => ({ seq, hash, body: JSON.stringify(document) })),
  );
}

function buildFilter(target: Target | undefined): { story?: string; delegation?: string } {
  if (target === undefined) return {};
  return target.id === target.story.id ? { story: target.id } : { delegation: target.id };
}
