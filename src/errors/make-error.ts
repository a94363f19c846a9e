import { DelegationError } from "../base/delegation-error.ts";
import type { ErrorCode } from "../contract/error-code.ts";

/** The text of one situation, for the person or program that meets it. */
export interface ErrorText {
  readonly code: ErrorCode;
  /** Says what happened, with the values. */
  readonly message: string;
  /** Says what to do next. */
  readonly advice: string;
  /** Whether the same request may succeed later. */
  readonly recoverable?: boolean;
  readonly cause?: unknown;
}

/**
 * The error to throw in one situation. Only the files of this folder call it, so that every text is in one catalogue: one
 * file per area, one entry per situation. A code's exit status is in `contract/error-code.ts`, its general meaning in
 * `code-meanings.ts`.
 *
 * @example
 * export const exampleErrors = {
 *   fileMissing: (path: string) =>
 *     makeError({ code: "FILE_NOT_FOUND", message: `${path} does not exist.`, advice: "Check the path." }),
 * };
 */
export function makeError({ advice, ...facts }: ErrorText): DelegationError {
  return new DelegationError({ ...facts, recommendation: advice });
}
