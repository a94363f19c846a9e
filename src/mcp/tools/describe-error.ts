import { type ErrorFacts as ThrownFacts, readErrorMessage } from "../../base/delegation-error.ts";
import { explainUnexpectedFileTrouble } from "../../base/file-trouble.ts";

/** The facts of an error that a tool answers with. */
export type ErrorFacts = Required<Omit<ThrownFacts, "cause">>;

/** Recognized by its shape: a bundle may contain the class more than once, which `instanceof` cannot see. */
export function describeError(thrown: unknown): ErrorFacts {
  const error = explainUnexpectedFileTrouble(thrown) ?? thrown;
  if (error instanceof Error && "code" in error && "recommendation" in error) {
    const { code, recommendation, message } = error;
    const recoverable = "recoverable" in error && error.recoverable === true;
    if (typeof code === "string" && typeof recommendation === "string")
      return { code, message, recommendation, recoverable };
  }
  return {
    code: "INTERNAL",
    message: readErrorMessage(error),
    recommendation: "Continue without this tool, and say so in your return.",
    recoverable: false,
  };
}
