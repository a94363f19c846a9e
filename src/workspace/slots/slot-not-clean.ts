import { DelegationError } from "../../base/delegation-error.ts";
import type { SlotRecord } from "../records/record.ts";

export function slotNotClean(record: SlotRecord, reason: string): DelegationError {
  return new DelegationError({
    code: "SLOT_NOT_CLEAN",
    message: `The checkout ${record.path} cannot be used again: ${reason}`,
    recommendation: "It is put away and another one is made; nothing needs to be done.",
    recoverable: true,
  });
}
