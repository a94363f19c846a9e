import type { StoreReader } from "../../journal/store.ts";
import { journalEventSchema } from "../../contract/journal-event.ts";
import { readNotice } from "../project/notices.ts";
import type { Finding } from "./finding.ts";

const MAX_STORIES = 5;
const MAX_EVENTS = 2000;

/** What changed outside the workspaces while one of the last stories worked: a person has to judge whether it was them. */
export async function checkOutside(reader: StoreReader | undefined): Promise<readonly Finding[]> {
  const stories = (await reader?.stories(MAX_STORIES)) ?? [];
  const findings: Finding[] = [];
  for (const { id } of stories) {
    const events = (await reader?.newestEvents(MAX_EVENTS, { story: id })) ?? [];
    for (const { body } of events.filter((event) => event.body.includes('"CHANGED_OUTSIDE"'))) {
      const parsed = journalEventSchema.safeParse(JSON.parse(body));
      const notices = parsed.success ? readNotice(parsed.data) : [];
      findings.push(...notices.map(({ delegation, message }) => describeNotice(delegation, message)));
    }
  }
  return findings;
}

function describeNotice(delegation: string, message: string): Finding {
  return {
    name: "outside",
    ok: true,
    detail: `${delegation}: ${message}`,
    next: "If it was not you, undo it. A sandbox keeps a worker inside: ambit run --isolation sandbox",
    isAdvice: true,
  };
}
