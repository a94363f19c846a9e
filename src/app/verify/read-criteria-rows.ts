import type { Delegation, StoreReader } from "../../journal/store.ts";
import { buildCriteriaRows, type CriterionRow } from "../../orchestrator/criteria-rows.ts";
import { readEvents } from "../project/journal-events.ts";

/** The acceptance criteria of one delegation, and what the journal says about each. */
export async function readCriteriaRows(
  reader: StoreReader,
  delegation: Delegation,
): Promise<readonly CriterionRow[]> {
  const { id } = delegation;
  const events = await readEvents(reader, { delegation: id });
  return buildCriteriaRows({ delegation, events, approvals: await reader.approvalsOf(id) });
}
