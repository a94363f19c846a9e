import { exitCodeFor } from "../../contract/error-code.ts";
import type { ExitCode } from "../../contract/exit-code.ts";
import { describeFailure, type Failure, type FailurePlace } from "./describe-failure.ts";
import { visibleText } from "../../base/visible-text.ts";
import { paint, type Paint } from "../terminal/paint.ts";

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

interface FailureStyle {
  readonly ascii: boolean;
  readonly paint: Paint;
}

/** Two lines: what happened, what to do next. */
function renderFailure(failure: Failure, { ascii, paint: { red, dim } }: FailureStyle): string {
  const mark = red(`${ascii ? "x" : "✖"} ${failure.code}`);
  const first = `${mark}  ${indented(failure.message)}\n`;
  if (failure.recommendation === "") return first;
  return `${first}  ${dim("next")}  ${indented(failure.recommendation)}\n`;
}

/** Further lines of a message stay visibly part of it. */
function indented(text: string): string {
  return visibleText(text).replaceAll("\n", "\n        ");
}
