import type { Failure } from "../describe-failure.ts";
import type { Paint } from "./paint.ts";
import { visibleText } from "../../base/visible-text.ts";

export interface FailureStyle {
  readonly ascii: boolean;
  readonly paint: Paint;
}

/** Two lines: what happened, what to do next. */
export function renderFailure(failure: Failure, { ascii, paint }: FailureStyle): string {
  const mark = paint.red(`${ascii ? "x" : "✖"} ${failure.code}`);
  const first = `${mark}  ${indented(failure.message)}\n`;
  if (failure.recommendation === "") return first;
  return `${first}  ${paint.dim("next")}  ${indented(failure.recommendation)}\n`;
}

/** Further lines of a message stay visibly part of it. */
function indented(text: string): string {
  return visibleText(text).replaceAll("\n", "\n        ");
}
