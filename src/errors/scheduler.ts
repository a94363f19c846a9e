import type { DelegationError } from "../base/delegation-error.ts";
import { makeError } from "./make-error.ts";

/** The queue of jobs. */
export const schedulerErrors = {
  jobExists: (id: string): DelegationError =>
    makeError({
      code: "DUPLICATE_ID",
      message: `${id} already waits or runs.`,
      advice: "Wait until it has ended, or cancel it, before adding it again.",
    }),
  jobUnknown: (id: string): DelegationError =>
    makeError({
      code: "DELEGATION_NOT_FOUND",
      message: `${id} was never added to the queue, or its group was forgotten.`,
      advice: "Add it first, and ask before the group is forgotten.",
    }),
};
