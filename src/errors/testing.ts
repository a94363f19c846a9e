import { readErrorMessage, type DelegationError } from "../base/delegation-error.ts";
import { makeError } from "./make-error.ts";

/** The scripted model and its server. */
export const testingErrors = {
  portTaken: (port: number, cause: unknown): DelegationError =>
    makeError({
      code: "NO_FREE_PORTS",
      message: `The model server cannot listen on port ${port}: ${readErrorMessage(cause)}`,
      advice: "Choose another --port, or none for a free one.",
      cause,
    }),
  /** `problems` has one line per problem. */
  scriptsUnreadable: (problems: string, cause: unknown): DelegationError =>
    makeError({
      code: "INPUT_UNREADABLE",
      message: `The model's scripts cannot be read:\n${problems}`,
      advice: "Correct them; ambit model-server --help lists the fields of a step.",
      cause,
    }),
};
