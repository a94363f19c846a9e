import type { DelegationError } from "../base/delegation-error.ts";
import { makeError } from "./make-error.ts";

/** Use cases that only people, or only workers, may ask for. */
export const appErrors = {
  /** The parameter continues the sentence "A worker …". */
  notAPerson: (what: string): DelegationError =>
    makeError({
      code: "NOT_A_PERSON",
      message: `A worker ${what}, and this command was started inside a worker.`,
      advice: "Ask with ambit ask, delegate with ambit delegate, or report it in your return.",
    }),
  storeHidden: (): DelegationError =>
    makeError({
      code: "NOT_A_PERSON",
      message: "The project's journal is hidden from workers, and this command was started inside a worker.",
      advice: "Ask for your own story with the tools status, tree, log and result of the MCP server ambit.",
    }),
  notAWorker: (): DelegationError =>
    makeError({
      code: "NOT_A_WORKER",
      message: "This is not a worker: AMBIT_SOCKET and AMBIT_TOKEN are not set.",
      advice: "Start a story with ambit run; its agents can delegate.",
    }),
};
