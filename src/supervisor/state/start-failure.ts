import { closeSync, fstatSync, openSync, readSync } from "node:fs";
import { DelegationError } from "../../base/delegation-error.ts";
import { describeError, errorFactsSchema } from "../protocol/envelope.ts";

const MARK = "could not run: ";
const MAX_READ_BYTES = 64 * 1024;

/** The line of a supervisor's log from which the command that started it reads why it failed. */
export function formatFailure(error: unknown): string {
  return MARK + JSON.stringify(describeError(error));
}

/** Why a supervisor failed whose log had `from` bytes when it was started; undefined if it left no reason. */
export function readFailure(logFile: string, from: number): DelegationError | undefined {
  const line = readTail(logFile, from)
    .split("\n")
    .findLast((text) => text.includes(MARK));
  if (line === undefined) return undefined;
  try {
    return new DelegationError(
      errorFactsSchema.parse(JSON.parse(line.slice(line.indexOf(MARK) + MARK.length))),
    );
  } catch {
    // The line is cut short; the person has to read the log.
    return undefined;
  }
}

function readTail(file: string, from: number): string {
  const descriptor = openSync(file, "r");
  try {
    const { size } = fstatSync(descriptor);
    const start = Math.max(from, size - MAX_READ_BYTES);
    const bytes = Buffer.alloc(Math.max(0, size - start));
    return bytes.toString("utf8", 0, readSync(descriptor, bytes, 0, bytes.length, start));
  } finally {
    closeSync(descriptor);
  }
}
