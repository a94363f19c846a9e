import type { Settlement } from "../../journal/store.ts";

/** The outcome of work whose worker itself says that it is not completed. */
export function readReturnOutcome(status: string | null): Settlement["outcome"] {
  return status === "partial" || status === "blocked" ? status : "failed";
}
