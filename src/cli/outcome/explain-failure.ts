import { exitCodeFor } from "../../contract/error-code.ts";
import type { ExitCode } from "../../contract/exit-code.ts";
import { describeFailure, type Failure, type FailurePlace } from "./describe-failure.ts";
import { visibleText } from "../../base/visible-text.ts";
import { replaceGlyphs } from "../terminal/choose-ascii.ts";
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
  const text = renderFailure(failure, paint(wishes.color));
  return {
    failure,
    exitCode: exitCodeFor(failure.code),
    text: wishes.ascii ? replaceGlyphs(text) : text,
    stack: wishes.stack && error instanceof Error ? `${error.stack ?? ""}\n` : "",
  };
}

/** Two lines: what happened, what to do next. */
function renderFailure(failure: Failure, { red, dim }: Paint): string {
  const mark = red(`✖ ${failure.code}`);
  const first = `${mark}  ${indented(failure.message)}\n`;
  if (failure.recommendation === "") return first;
  return `${first}  ${dim("next")}  ${indented(failure.recommendation)}\n`;
}

/** Further lines of a message stay visibly part of it. */
function indented(text: string): string {
  return visibleText(text).replaceAll("\n", "\n        ");
}
