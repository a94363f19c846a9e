import type { DelegationError } from "../base/delegation-error.ts";
import type { ErrorCode } from "../contract/error-code.ts";
import { makeError } from "./make-error.ts";

/** The calls of workers. */
export const workerCallErrors = {
  unusableCall: (problems: string): DelegationError =>
    makeError({
      code: "USAGE",
      message: `The call is not usable: ${problems}`,
      advice: "Correct it and call again; nothing was done.",
      recoverable: true,
    }),
  notAWorker: (): DelegationError =>
    makeError({
      code: "NOT_A_WORKER",
      message: "This process is not a worker that is running now.",
      advice: "Use ambit run to start a story; ambit delegate is for agents inside one.",
    }),
  notYourWorker: (id: string): DelegationError =>
    makeError({
      code: "DELEGATION_NOT_FOUND",
      message: `You have no worker ${id}.`,
      advice: "List your own workers with status; you cannot act on others.",
      recoverable: true,
    }),
  noSuchQuestion: (name: string): DelegationError =>
    makeError({
      code: "APPROVAL_NOT_FOUND",
      message: `None of your workers has an open question named ${name}.`,
      advice: "See what waits for you with status.",
      recoverable: true,
    }),
  decisionOnOwnWork: (id: string): DelegationError =>
    makeError({
      code: "DECISION_BY_WORKER",
      message: `${id} is your own work; you cannot decide about it.`,
      advice: "Return; your manager or a person decides.",
    }),
  noSuchCriterion: (worker: string, name: string, open: readonly string[]): DelegationError =>
    makeError({
      code: "CRITERION_NOT_FOUND",
      message: `${worker} has no criterion "${name}" that waits for you.`,
      advice: `Name one of: ${open.join("; ")}`,
      recoverable: true,
    }),
  decisionRejected: (code: ErrorCode, message: string): DelegationError =>
    makeError({
      code,
      message,
      advice: "Look at the work itself, then decide what no program can check, with a reason.",
      recoverable: true,
    }),
};
