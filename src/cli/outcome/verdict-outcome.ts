import type { Judgement } from "../../app/check-limits.ts";
import { visibleText } from "../../base/visible-text.ts";
import { exitCodeFor } from "../../contract/error-code.ts";
import { exitCode } from "../../contract/exit-code.ts";
import type { CommandOutcome } from "../input/command-module.ts";
import { renderVerdict, type VerdictStyle } from "../render/verdict.ts";

/** Every check ends alike: the exit status is that of its code, and each failure is a line with what to do next. */
export function verdictOutcome(
  verdict: Judgement & Readonly<Record<string, unknown>>,
  style: VerdictStyle,
): CommandOutcome {
  const { code, message, failures = [] } = verdict;
  if (code === null)
    return {
      exitCode: exitCode.completed,
      json: verdict,
      text: renderVerdict({ ok: true, message }, style),
    };
  return {
    exitCode: exitCodeFor(readPlainCode(code)),
    json: verdict,
    text: failures.flatMap((failure) => renderCheckFailure(failure, style)).join("\n"),
  };
}

/** `MISSING_FIELD:summary` is the code `MISSING_FIELD` about one field. */
function readPlainCode(code: string): string {
  return code.split(":", 1)[0] ?? code;
}

type Failure = NonNullable<Judgement["failures"]>[number];

function renderCheckFailure(failure: Failure, style: VerdictStyle): string[] {
  const details = (failure.details ?? []).filter((line) => line !== "" && !line.trimEnd().endsWith(":"));
  const next = failure.suggestion === undefined ? [] : [`  next  ${failure.suggestion}`];
  return [
    renderVerdict({ ok: false, code: failure.code, message: failure.message }, style),
    ...details.map((line) => `  ${visibleText(line)}`),
    ...next,
  ];
}
