import type { DelegationError } from "../../base/delegation-error.ts";
import type { ErrorCode } from "../../contract/error-code.ts";
import { configErrors } from "../../errors/config.ts";
import { formatOrigin, type Origin } from "./resolved-config.ts";

export type ConfigProblemCode = Extract<
  ErrorCode,
  | "CONFIG_INVALID"
  | "CONFIG_OUT_OF_RANGE"
  | "CONFIG_CONTRADICTION"
  | "UNKNOWN_CONFIG_KEY"
  | "INPUT_UNREADABLE"
>;

/** One problem of the configuration. Without `key` it concerns a whole file. */
export interface ConfigProblem {
  readonly code: ConfigProblemCode;
  readonly origin: Origin;
  readonly key?: string | undefined;
  readonly reason: string;
}

const MAX_SHOWN_PROBLEMS = 50;

/** `ambit.yaml:4: delegation.maxDepth is 5; the hard cap is 3` */
export function formatProblem(problem: ConfigProblem): string {
  const subject = problem.key === undefined ? "" : `${problem.key} `;
  return `${formatOrigin(problem.origin)}: ${subject}${problem.reason}`;
}

/** All problems as one error, one line each; its code is that of the first. */
export function configError(problems: readonly ConfigProblem[]): DelegationError {
  const lines = problems.slice(0, MAX_SHOWN_PROBLEMS).map(formatProblem);
  const hidden = problems.length - lines.length;
  const shown = hidden > 0 ? [...lines, `and ${hidden} more`] : lines;
  return configErrors.invalid(problems[0]?.code ?? "CONFIG_INVALID", shown, problems.length);
}
