import type { DelegationError } from "../base/delegation-error.ts";
import { makeError } from "./make-error.ts";

/** Who may ask for a use case. */
export const appErrors = {
  /** `what` continues the sentence "A worker …". */
  notAPerson: (what: string): DelegationError =>
    makeError({
      code: "NOT_A_PERSON",
      message: `A worker ${what}, and AMBIT_TOKEN shows that this is a worker.`,
      advice: "Ask with ambit ask, delegate with ambit delegate, or report it in your return.",
    }),
};
