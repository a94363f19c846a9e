import { type DelegationError, readErrorMessage } from "../base/delegation-error.ts";
import type { ErrorCode } from "../contract/error-code.ts";
import { makeError } from "./make-error.ts";

/** Reading and changing configuration files. */
export const configErrors = {
  /** All problems as one error, one line each; its code is that of the first. */
  invalid: (code: ErrorCode, lines: readonly string[], count: number): DelegationError =>
    makeError({
      code,
      message: lines.join("\n"),
      advice:
        count === 1
          ? "Correct the setting, then run the command again."
          : `Correct the ${count} settings, then run the command again.`,
    }),
  notSettable: (file: string, key: string): DelegationError =>
    makeError({
      code: "CONFIG_INVALID",
      message: `${file}: ${key} cannot be set without changing other settings`,
      advice: `Open the file and set ${key} by hand.`,
    }),
  fileBusy: (path: string, lock: string): DelegationError =>
    makeError({
      code: "STORE_BUSY",
      message: `${path} is being changed by another command, which holds ${lock}`,
      advice: "Try again; if no other command is running, remove the lock file.",
      recoverable: true,
    }),
  fileUnwritable: (path: string, cause: unknown): DelegationError =>
    makeError({
      code: "STORE_UNUSABLE",
      message: `${path} cannot be written: ${readErrorMessage(cause)}`,
      advice: "Make the file and its folder writable, then try again.",
      cause,
    }),
  aboveCap: (flag: string, value: number, cap: number): DelegationError =>
    makeError({
      code: "CONFIG_OUT_OF_RANGE",
      message: `${flag} is ${value}; the hard cap is ${cap}`,
      advice: `Give ${flag} a number from 0 to ${cap}.`,
    }),
  noProject: (directory: string): DelegationError =>
    makeError({
      code: "NOT_A_REPOSITORY",
      message: `${directory} is not inside a git repository, so there is no project to configure`,
      advice: "Run git init, use -C <dir>, or set it for yourself with --user.",
    }),
};
