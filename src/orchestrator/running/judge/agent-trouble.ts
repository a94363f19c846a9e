import { safeText } from "../../../base/safe-text.ts";
import type { ErrorCode } from "../../../contract/error-code.ts";
import type { Settlement } from "../../../journal/store.ts";
import type { JudgedAttempt } from "./validate-return.ts";
import { salvage } from "./salvage.ts";
import { troubleOf } from "./troubles.ts";

const LONGEST_REASON = 300;

/** Its work is kept: partial where there is any. Who waits for a permission is blocked, as only a person can help. */
export function settleByCode(attempt: JudgedAttempt, code: ErrorCode): Settlement {
  const { end, work } = attempt;
  const { what = "Its program could not go on", next = "" } = troubleOf(code) ?? {};
  const kept = work.filesChanged.length === 0 ? "failed" : "partial";
  return salvage(attempt, {
    outcome: code === "AGENT_NEEDS_PERMISSION" ? "blocked" : kept,
    code,
    // It may quote what the program printed, which may be anything.
    what: `${what} (${safeText(end.reason).slice(0, LONGEST_REASON)})`,
    next,
  });
}
