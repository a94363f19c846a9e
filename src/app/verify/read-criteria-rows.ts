import * as z from "zod";
import { checkMeanings, criterionVerdicts } from "../../contract/task.ts";
import type { Delegation, StoreReader } from "../../journal/store.ts";
import { buildCriteriaRows, type CriterionRow } from "../../orchestrator/criteria-rows.ts";
import { readEvents } from "../project/journal-events.ts";

/** One acceptance criterion and what is known about it. */
export const criterionSchema = () =>
  z.looseObject({
    id: z.string(),
    text: z.string(),
    check: z.string().describe("In words"),
    required: z.boolean(),
    verdict: z.enum(criterionVerdicts),
    evidence: z.string(),
    by: z.string().nullable().describe("ambit for a check, else the person who decided"),
    meaning: z
      .enum(checkMeanings)
      .optional()
      .describe("Compared with the same check on the tree that the work started from"),
    flaky: z.boolean().optional().describe("Its check failed first and passed when it was repeated"),
  });

/** The acceptance criteria of one delegation, and what the journal says about each. */
export async function readCriteriaRows(
  reader: StoreReader,
  delegation: Delegation,
): Promise<readonly CriterionRow[]> {
  const { id } = delegation;
  const events = await readEvents(reader, { delegation: id });
  return buildCriteriaRows({ delegation, events, approvals: await reader.approvalsOf(id) });
}
