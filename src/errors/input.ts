import { readErrorMessage, type DelegationError } from "../base/delegation-error.ts";
import { quoteExcerpt } from "../base/visible-text.ts";
import { makeError } from "./make-error.ts";

const MAX_NAME = 200;

/** Files, folders and pipes that a request names. */
export const inputErrors = {
  notADirectory: (path: string): DelegationError =>
    makeError({
      code: "INPUT_UNREADABLE",
      message: `--root ${quoteExcerpt(path, MAX_NAME)} is not a directory that can be read`,
      advice: "Name the directory that the artifact paths are relative to.",
    }),
  notWritten: (path: string, code: string, error: unknown): DelegationError =>
    makeError({
      code: "OUTPUT_UNWRITABLE",
      message: `${path} could not be written (${code})`,
      advice: "Check who owns the folder and whether the disk is full.",
      cause: error,
    }),
  noCurrentDirectory: (error: unknown): DelegationError =>
    makeError({
      code: "INPUT_UNREADABLE",
      message: `The current directory cannot be used: ${readErrorMessage(error)}`,
      advice: "It may have been removed: change to another directory and try again.",
      cause: error,
    }),
};
