import { messageOf } from "../base/delegation-error.ts";

/** An error as every interface tells it. */
export interface ToldError {
  readonly code: string;
  readonly message: string;
  readonly recommendation: string;
  readonly recoverable: boolean;
}

/** Known by its shape: a bundle may hold the class more than once, and then `instanceof` knows only one of them. */
export function describeError(error: unknown): ToldError {
  if (error instanceof Error && "code" in error && "recommendation" in error) {
    const { code, recommendation, message } = error;
    const recoverable = "recoverable" in error && error.recoverable === true;
    if (typeof code === "string" && typeof recommendation === "string")
      return { code, message, recommendation, recoverable };
  }
  return {
    code: "INTERNAL",
    message: messageOf(error),
    recommendation: "Go on without this tool, and say so in your return.",
    recoverable: false,
  };
}
