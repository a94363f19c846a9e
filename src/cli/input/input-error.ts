import { DelegationError, readErrorCode, readErrorMessage } from "../../base/delegation-error.ts";
import { quoteExcerpt } from "../../base/visible-text.ts";

/** `reason` is the system's error, or words that read on after the name. */
export function unreadable(name: string, reason: unknown): DelegationError {
  return new DelegationError({
    code: "INPUT_UNREADABLE",
    message: `${quoteExcerpt(name, 200)} ${typeof reason === "string" ? reason : reasonOf(reason)}`,
    recommendation: "Name a readable file, or use - and pipe the text in.",
    ...(typeof reason === "string" ? {} : { cause: reason }),
  });
}

/** Typing would look like a command that hangs. */
export function needsPipe(name: string): DelegationError {
  return new DelegationError({
    code: "USAGE",
    message: `${quoteExcerpt(name, 200)} is a terminal, and this command does not wait for typing`,
    recommendation: "Pipe the text in, as in: ambit … - < file",
  });
}

const REASONS: Readonly<Record<string, string>> = {
  ENOENT: "does not exist",
  ENOTDIR: "does not exist",
  EACCES: "may not be read by you",
  EISDIR: "is a directory",
  ELOOP: "is a loop of links",
  ENXIO: "is not something that can be read",
  ENAMETOOLONG: "has a name that is too long",
};

function reasonOf(error: unknown): string {
  return REASONS[readErrorCode(error)] ?? `cannot be read: ${readErrorMessage(error)}`;
}
