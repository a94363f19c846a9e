import * as z from "zod";
import type { JournalEvent } from "../../../contract/journal-event.ts";

const evidenceSchema = z.object({
  workflow: z.string(),
  worker: z.string(),
  status: z.string().nullable(),
  artifacts: z.array(z.object({ type: z.string(), path: z.string() })),
  commit: z.string().nullable(),
  task_commit: z.string().nullable().default(null),
  postflight: z.record(z.string(), z.boolean()),
});

export type WorkflowEvidence = z.infer<typeof evidenceSchema>;

/** What the last stage left in the journal; undefined for every other event. */
export function evidenceOf(event: JournalEvent): WorkflowEvidence | undefined {
  if (event.type !== "task-changed") return undefined;
  const parsed = evidenceSchema.safeParse(event.data.fields);
  return parsed.success ? parsed.data : undefined;
}
