import type { JournalEvent } from "../../contract/journal-event.ts";
import type { Database } from "./database.ts";

type ApprovalEvent = Extract<JournalEvent, { type: "approval-requested" | "approval-answered" }>;

/** The first answer counts; a later one is in the journal and changes nothing. */
export function applyApproval(database: Database, event: ApprovalEvent): void {
  if (event.type === "approval-answered") {
    const { approvalId, answer, by, reason } = event.data;
    database.run(
      "UPDATE approvals SET answer = ?, answered_by = ?, reason = ? WHERE id = ? AND answer IS NULL",
      [answer, by, reason, approvalId],
    );
    return;
  }
  const { approvalId, kind, question, details } = event.data;
  database.run(
    `INSERT INTO approvals (id, seq, story, delegation, kind, question, details, asked_at)
       VALUES (?, ?, ?, ?, ?, ?, ?, ?) ON CONFLICT (id) DO NOTHING`,
    [
      approvalId,
      event.seq,
      event.story,
      event.delegation ?? event.story,
      kind,
      question,
      JSON.stringify(details),
      event.at,
    ],
  );
}
