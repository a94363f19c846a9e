import type { SlotRecord } from "../records/record.ts";
import type { SlotOptions } from "./slot-options.ts";

/** Whether a checkout was prepared from the same checkout of the user and by the same settings. */
export function hasRecipe({ repository, recipe }: SlotOptions, record: SlotRecord): boolean {
  return record.source === repository.workTree && record.recipe === recipe;
}
