import { exitCodeFor } from "../contract/error-code.ts";
import type { ExitCode } from "../contract/exit-code.ts";
import { describeFailure, type Failure, type FailurePlace } from "./describe-failure.ts";
import { renderFailure } from "./render/failure.ts";
import { paint } from "./render/paint.ts";

export interface ExplainedFailure {
  readonly failure: Failure;
  readonly exitCode: ExitCode;
  /** For people, on stderr. */
  readonly text: string;
  /** Where it was thrown, when asked for; else empty. */
  readonly stack: string;
}

export interface FailureWishes {
  readonly ascii: boolean;
  readonly color: boolean;
  readonly stack: boolean;
}

/** Everything there is to say about an error. Loaded only when there is one. */
export function explainFailure(error: unknown, place: FailurePlace, wishes: FailureWishes): ExplainedFailure {
  const failure = describeFailure(error, place);
  return {
    failure,
    exitCode: exitCodeFor(failure.code),
    text: renderFailure(failure, { ascii: wishes.ascii, paint: paint(wishes.color) }),
    stack: wishes.stack && error instanceof Error ? `${error.stack ?? ""}\n` : "",
  };
}
