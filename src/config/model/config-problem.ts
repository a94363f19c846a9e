import { DelegationError } from "../../base/delegation-error.ts";
import type { ErrorCode } from "../../contract/error-code.ts";
import { placeOf, type Origin } from "./resolved-config.ts";

export type ConfigProblemCode = Extract<
  ErrorCode,
  | "CONFIG_INVALID"
  | "CONFIG_OUT_OF_RANGE"
  | "CONFIG_CONTRADICTION"
  | "UNKNOWN_CONFIG_KEY"
  | "INPUT_UNREADABLE"
>;

/** One thing wrong with the configuration. Without `key` it concerns a whole file. */
export interface ConfigProblem {
  readonly code: ConfigProblemCode;
  readonly origin: Origin;
  readonly key?: string | undefined;
  readonly reason: string;
}

const SHOWN = 50;

/** `ambit.yaml:4: delegation.maxDepth is 5; the hard cap is 3` */
export function problemText(problem: ConfigProblem): string {
  const subject = problem.key === undefined ? "" : `${problem.key} `;
  return `${placeOf(problem.origin)}: ${subject}${problem.reason}`;
}

/** All problems as one error, one line each; its code is that of the first. */
export function configError(problems: readonly ConfigProblem[]): DelegationError {
  const lines = problems.slice(0, SHOWN).map(problemText);
  const hidden = problems.length - lines.length;
  return new DelegationError({
    code: problems[0]?.code ?? "CONFIG_INVALID",
    message: (hidden > 0 ? [...lines, `and ${hidden} more`] : lines).join("\n"),
    recommendation:
      problems.length === 1
        ? "Correct the setting, then run the command again."
        : `Correct the ${problems.length} settings, then run the command again.`,
  });
}
