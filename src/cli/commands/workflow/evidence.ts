import { readSettledWorkflow } from "../../../contract/read-settled-workflow.ts";
import type { SettledWorkflow } from "../../../contract/settled-workflow.ts";

export type WorkflowEvidence = SettledWorkflow;

/** What the last stage left in the journal; undefined for every other event. */
export const evidenceOf = readSettledWorkflow;
