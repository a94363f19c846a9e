import { formatPlace } from "../../contract/child-id.ts";
import type { Approval, Delegation, StoreReader } from "../../journal/store.ts";
import type { Inbox, InboxEntry } from "./types/inbox.ts";
import { parseTime } from "./story-summary.ts";

const MAX_ENTRIES = 500;

/** What waits for a person, oldest first. */
export async function readInbox(reader: StoreReader | undefined): Promise<Inbox> {
  if (reader === undefined) return { seq: 0, entries: [] };
  const { seq } = await reader.head();
  const entries: InboxEntry[] = [];
  for (const approval of await reader.openApprovals(MAX_ENTRIES)) {
    const delegation = await reader.delegation(approval.delegation);
    const story = await reader.story(approval.story);
    if (delegation === undefined) continue;
    entries.push(describeInboxEntry(approval, { delegation, runTitle: story?.title ?? "" }));
  }
  return { seq, entries };
}

export function describeInboxEntry(
  approval: Approval,
  { delegation, runTitle }: { readonly delegation: Delegation; readonly runTitle: string },
): InboxEntry {
  return {
    id: approval.id,
    run: approval.story,
    runTitle,
    delegation: delegation.id,
    label: formatPlace(delegation.id, delegation.story) ?? "",
    title: delegation.description,
    agent: delegation.agent ?? "",
    kind: approval.kind,
    question: approval.question,
    details: approval.details,
    askedAtMs: parseTime(approval.askedAt),
    // Words answer a clarification; everything else is a yes or a no.
    can: approval.kind === "clarification" ? ["reply"] : ["approve", "reject"],
  };
}
