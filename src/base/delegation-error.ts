/** Facts a thrown error carries so that every interface can explain it the same way. */
export interface ErrorFacts {
  readonly code: string;
  readonly message: string;
  readonly recommendation: string;
  readonly recoverable?: boolean;
  readonly cause?: unknown;
}

/**
 * The one class for broken environment or broken code. Expected outcomes (refusals, failed returns) are values.
 */
export class DelegationError extends Error {
  /** Recognised by its shape, because each bundled file of the build may hold its own copy of this class. */
  static override [Symbol.hasInstance](value: unknown): boolean {
    return (
      value instanceof Error &&
      value.name === "DelegationError" &&
      "code" in value &&
      "recommendation" in value &&
      "recoverable" in value
    );
  }

  readonly code: string;
  readonly recommendation: string;
  readonly recoverable: boolean;

  constructor(facts: ErrorFacts) {
    super(facts.message, facts.cause === undefined ? {} : { cause: facts.cause });
    this.name = "DelegationError";
    this.code = facts.code;
    this.recommendation = facts.recommendation;
    this.recoverable = facts.recoverable ?? false;
  }
}

/** The message of anything that was thrown. */
export function readErrorMessage(error: unknown): string {
  return error instanceof Error ? error.message : String(error);
}

/** The system's name of an error, such as ENOENT; empty for other errors. */
export function readErrorCode(error: unknown): string {
  return error instanceof Error && "code" in error ? String(error.code) : "";
}
