import { readErrorMessage, type DelegationError } from "../base/delegation-error.ts";
import { quoteExcerpt } from "../base/visible-text.ts";
import { makeError } from "./make-error.ts";

const MAX_SHOWN_NAME = 200;

/** The scripted model and its server. */
export const testingErrors = {
  portTaken: (port: number, cause: unknown): DelegationError =>
    makeError({
      code: "NO_FREE_PORTS",
      message: `The model server cannot listen on port ${port}: ${readErrorMessage(cause)}`,
      advice: "Choose another --port, or omit it to use a free one.",
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
  scriptsNotYaml: (name: string, problem: string): DelegationError =>
    makeError({
      code: "INPUT_UNREADABLE",
      message: `${quoteExcerpt(name, MAX_SHOWN_NAME)} is not valid YAML: ${problem}`,
      advice: "Name a readable file, or use - and pipe the text in.",
    }),
};
