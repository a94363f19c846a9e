import * as z from "zod";
import { eventData, type EventData } from "../../contract/journal-event.ts";
import type { Delegation } from "../../journal/store.ts";
import type { Decision } from "../../verification/judge.ts";
import type { RunTools } from "../ports/run-tools.ts";

/** The review of this attempt's work, if a reviewer was asked. */
export async function findReview(tools: RunTools, delegation: Delegation): Promise<Delegation | undefined> {
  const { id, story, attempt, workers } = delegation;
  const tree = workers === 0 ? [] : await tools.store.storyTree(story);
  return tree.find(({ parent, work }) => parent === id && work?.review?.attempt === attempt);
}

const checkedSchema = z.looseObject({
  type: z.literal("criterion-checked"),
  attempt: z.int(),
  data: eventData["criterion-checked"],
});

const MAX_EVENTS = 500;

/** The verdicts of the reviewer that count: those with evidence, or with a reason why a criterion is not met. */
export async function readReviewDecisions(
  tools: RunTools,
  delegation: Delegation,
): Promise<readonly Decision[]> {
  const review = await findReview(tools, delegation);
  if (review?.state !== "closed") return [];
  const findings = await readFindings(tools, delegation, review);
  return findings.flatMap(({ criterionId, verdict, evidence: reason }) =>
    verdict === "passed" || verdict === "failed"
      ? [{ criterionId, verdict, by: { role: "reviewer", id: review.id } as const, reason }]
      : [],
  );
}

type Finding = EventData<"criterion-checked">;

/** The findings of the reviewer about this attempt, whether they count or not. */
export async function readFindings(
  tools: RunTools,
  delegation: Delegation,
  review: Delegation,
): Promise<readonly Finding[]> {
  const events = await tools.store.newestEvents(MAX_EVENTS, { delegation: delegation.id });
  return events.flatMap(({ body }) => {
    const event = checkedSchema.safeParse(JSON.parse(body));
    if (!event.success || event.data.attempt !== delegation.attempt) return [];
    return event.data.data.by === review.id ? [event.data.data] : [];
  });
}
