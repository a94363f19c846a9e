import { exitCodeFor } from "../contract/error-code.ts";
import { exitCode } from "../contract/exit-code.ts";
import type { CommandOutcome } from "./command-module.ts";
import { renderVerdict, type VerdictStyle } from "./render/verdict.ts";
import { visibleText } from "../base/visible-text.ts";

/** One reason why a check did not pass. */
export interface CheckFailure {
  readonly code: string;
  readonly message: string;
  readonly details?: readonly string[];
  readonly suggestion?: string;
}

export interface CheckVerdict {
  /** The fields that are this check's own, such as `allowed`. */
  readonly fields: Readonly<Record<string, unknown>>;
  /** What to say when nothing failed. */
  readonly passed: string;
  /** All of them, the primary one first. */
  readonly failures: readonly CheckFailure[];
}

/** Every check answers alike: its own fields, `code` (null when it passes), `codes`, `message`; the exit status is the code's. */
export function verdictOutcome(verdict: CheckVerdict, style: VerdictStyle): CommandOutcome {
  const { fields, passed, failures } = verdict;
  const [primary] = failures;
  const codes = [...new Set(failures.map((failure) => failure.code))];
  if (primary === undefined) {
    return {
      exitCode: exitCode.completed,
      json: { ...fields, code: null, codes, message: passed },
      text: renderVerdict({ ok: true, message: passed }, style),
    };
  }
  return {
    exitCode: exitCodeFor(plainCode(primary.code)),
    json: { ...fields, code: primary.code, codes, message: primary.message, ...suggestionOf(primary) },
    text: failures.flatMap((failure) => renderCheckFailure(failure, style)).join("\n"),
  };
}

/** `MISSING_FIELD:summary` is the code `MISSING_FIELD` about one field. */
function plainCode(code: string): string {
  return code.split(":", 1)[0] ?? code;
}

function suggestionOf({ suggestion }: CheckFailure): { suggestion?: string } {
  return suggestion === undefined ? {} : { suggestion };
}

function renderCheckFailure(failure: CheckFailure, style: VerdictStyle): string[] {
  const details = (failure.details ?? []).filter((line) => line !== "" && !line.trimEnd().endsWith(":"));
  const next = failure.suggestion === undefined ? [] : [`  next  ${failure.suggestion}`];
  return [
    renderVerdict({ ok: false, code: failure.code, message: failure.message }, style),
    ...details.map((line) => `  ${visibleText(line)}`),
    ...next,
  ];
}
