import { dirname } from "node:path";
import type { SlotRecord } from "../records/record.ts";

/** Variables that every process in a checkout needs. */
export function buildSlotEnvironment(
  record: Pick<SlotRecord, "path" | "portBase">,
): Readonly<Record<string, string>> {
  return {
    AMBIT_PORT_BASE: String(record.portBase),
    // If a worker loses its `.git`, its git commands must not find the user's repository above.
    GIT_CEILING_DIRECTORIES: dirname(record.path),
  };
}
