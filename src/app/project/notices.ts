import * as z from "zod";
import type { ErrorCode } from "../../contract/error-code.ts";
import { journalEventSchema, type JournalEvent } from "../../contract/journal-event.ts";
import type { StoreReader } from "../../journal/store.ts";

/** An incident outside the limits of a worker that did not end it. */
export interface Notice {
  readonly delegation: string;
  readonly code: string;
  readonly message: string;
}

export const noticesSchema = () =>
  z
    .array(z.looseObject({ delegation: z.string(), code: z.string(), message: z.string() }))
    .optional()
    .describe(
      "Incidents outside the limits: changes outside the workspaces, agents that workers started themselves",
    );

const NOTICED: ReadonlySet<string> = new Set<ErrorCode>(["CHANGED_OUTSIDE", "AGENT_STARTED_AGENTS"]);

export function readNotice(event: JournalEvent): readonly Notice[] {
  if (event.type !== "limit-warned" || event.delegation === null || !NOTICED.has(event.data.code)) return [];
  return [{ delegation: event.delegation, code: event.data.code, message: event.data.message }];
}

const PAGE = 500;

/** Those of a whole story. Other events are not even parsed. */
export async function listNotices(
  reader: Pick<StoreReader, "eventsAfter">,
  story: string,
): Promise<readonly Notice[]> {
  const notices: Notice[] = [];
  for (let cursor = 0; ;) {
    const page = await reader.eventsAfter(cursor, PAGE, { story });
    for (const { body } of page.events.filter((event) => event.body.includes('"limit-warned"'))) {
      const parsed = journalEventSchema.safeParse(JSON.parse(body));
      if (parsed.success) notices.push(...readNotice(parsed.data));
    }
    cursor = page.cursor;
    if (page.events.length < PAGE) return notices;
  }
}
