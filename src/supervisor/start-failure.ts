import { closeSync, fstatSync, openSync, readSync } from "node:fs";
import * as z from "zod";
import { DelegationError, messageOf } from "../base/delegation-error.ts";

const MARK = "could not run: ";
const MOST_READ_BYTES = 64 * 1024;

const factsSchema = z.strictObject({
  code: z.string(),
  message: z.string(),
  recommendation: z.string(),
  recoverable: z.boolean(),
});

/** One line of a supervisor's log that whoever started it can read again. */
export function failureLine(error: unknown): string {
  const facts =
    error instanceof DelegationError
      ? {
          code: error.code,
          message: error.message,
          recommendation: error.recommendation,
          recoverable: error.recoverable,
        }
      : {
          code: "INTERNAL",
          message: messageOf(error),
          recommendation: "Look at the supervisor's log.",
          recoverable: false,
        };
  return MARK + JSON.stringify(facts);
}

/** Why a supervisor ended that was started when its log had `from` bytes; undefined where it could not say. */
export function readFailure(logFile: string, from: number): DelegationError | undefined {
  const line = readTail(logFile, from)
    .split("\n")
    .findLast((text) => text.includes(MARK));
  if (line === undefined) return undefined;
  try {
    return new DelegationError(factsSchema.parse(JSON.parse(line.slice(line.indexOf(MARK) + MARK.length))));
  } catch {
    // Cut short: the log itself is then all there is.
    return undefined;
  }
}

function readTail(file: string, from: number): string {
  const descriptor = openSync(file, "r");
  try {
    const { size } = fstatSync(descriptor);
    const start = Math.max(from, size - MOST_READ_BYTES);
    const bytes = Buffer.alloc(Math.max(0, size - start));
    return bytes.toString("utf8", 0, readSync(descriptor, bytes, 0, bytes.length, start));
  } finally {
    closeSync(descriptor);
  }
}
