import { countThings } from "../base/count-things.ts";
import { DelegationError, readErrorMessage } from "../base/delegation-error.ts";
import { makeError } from "./make-error.ts";

interface PageErrorText {
  readonly code: "BODY_TOO_LARGE" | "BODY_TYPE_REFUSED" | "TASKS_DIFFER";
  readonly message: string;
  readonly advice: string;
  readonly recoverable?: boolean;
}

/** Codes that only the dashboard's own page sees are not published. */
function makePageError({ advice, ...facts }: PageErrorText): DelegationError {
  return new DelegationError({ ...facts, recommendation: advice });
}

/** Serving the dashboard, reading its requests, and acting on what a person asks for in it. */
export const dashboardErrors = {
  cannotListen: (address: string, cause: unknown): DelegationError =>
    makeError({
      code: "USAGE",
      message: `The dashboard cannot listen at ${address}: ${readErrorMessage(cause)}`,
      advice: "Omit --port to use a free port, and name an address of this machine.",
      cause,
    }),
  numberOutOfBounds: (wanted: {
    readonly name: string;
    readonly text: string;
    readonly least: number;
    readonly most: number;
  }): DelegationError =>
    makeError({
      code: "USAGE",
      message: `${wanted.name} is ${wanted.text}; it must be a whole number from ${wanted.least} to ${wanted.most}.`,
      advice: "Omit it, or give a number within these bounds.",
    }),
  bodyNotJson: (cause: unknown): DelegationError =>
    makeError({ code: "USAGE", message: "The body is not JSON.", advice: "Send one JSON object.", cause }),
  bodyTooLarge: (maxBytes: number): DelegationError =>
    makePageError({
      code: "BODY_TOO_LARGE",
      message: `The body has more than ${maxBytes} bytes.`,
      advice: "Send a smaller request.",
    }),
  wrongBodyType: (type: string): DelegationError =>
    makePageError({
      code: "BODY_TYPE_REFUSED",
      message: `The content type is ${type === "" ? "missing" : type}; it must be application/json.`,
      advice: "Use the dashboard's own page.",
    }),
  actionNotUnderstood: (why: string): DelegationError =>
    makeError({
      code: "USAGE",
      message: `The action is not valid: ${why}`,
      advice: "Reload the page; it may be older than the program.",
    }),
  mergeConflict: (story: string, branch: string, files: readonly string[]): DelegationError =>
    makeError({
      code: "MERGE_CONFLICT",
      message: `${story} conflicts with ${branch} in ${files.join(", ")}. Nothing was changed.`,
      advice: `Let the story resolve it: ambit resume ${story}, or merge ambit/${story} yourself.`,
      recoverable: true,
    }),
  tasksDiffer: (count: number): DelegationError =>
    makePageError({
      code: "TASKS_DIFFER",
      message: `The task files were edited by hand: ${countThings(count, "change")} must be imported first.`,
      advice: "Confirm to import them and change the status.",
      recoverable: true,
    }),
};
