import type { DelegationError } from "../base/delegation-error.ts";
import { makeError } from "./make-error.ts";

/** Reaching the supervisor, owning a project, and what workers ask for over their socket. */
export const supervisorErrors = {
  nothingKept: ({ id, state }: { readonly id: string; readonly state: string }): DelegationError =>
    makeError({
      code: "WORKSPACE_NOT_FOUND",
      message: `${id} is ${state} and has no saved work yet.`,
      advice: "Wait until it has ended, or read its output.",
      recoverable: true,
    }),
};
