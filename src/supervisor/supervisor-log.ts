import { closeSync, constants, fstatSync, openSync, readSync } from "node:fs";
import * as z from "zod";
import { DelegationError } from "../base/delegation-error.ts";
import { describeError, errorFactsSchema } from "./protocol/envelope.ts";
import { redactValue } from "../redaction/redact.ts";

const MAX_READ_BYTES = 64 * 1024;

const failureLineSchema = z.looseObject({ error: errorFactsSchema });

/** One line of the supervisor's log. It is JSON, whatever foreign text is quoted in it. */
export function formatLogLine(text: string, error?: unknown): string {
  const line = { time: new Date().toISOString(), pid: process.pid, text };
  const facts = error === undefined ? line : { ...line, error: describeError(error) };
  return `${JSON.stringify(redactValue(facts).value)}\n`;
}

/** Opens the log to append to it. A link in its place is refused, so that no other file is appended to. */
export function openLog(file: string): number {
  const { O_APPEND, O_CREAT, O_NOFOLLOW, O_WRONLY } = constants;
  return openSync(file, O_APPEND | O_CREAT | O_NOFOLLOW | O_WRONLY, 0o600);
}

/** The reason why a supervisor failed whose log had `from` bytes at its start; undefined if it left no reason. */
export function readFailure(logFile: string, from: number): DelegationError | undefined {
  const lines = readTail(logFile, from).split("\n").toReversed();
  for (const line of lines) {
    const facts = parseFailure(line);
    if (facts !== undefined) return new DelegationError(facts);
  }
  return undefined;
}

function parseFailure(line: string): z.infer<typeof errorFactsSchema> | undefined {
  try {
    return failureLineSchema.safeParse(JSON.parse(line)).data?.error;
  } catch {
    // This line was written by Node when it died, or it is incomplete.
    return undefined;
  }
}

function readTail(file: string, from: number): string {
  const descriptor = openSync(file, constants.O_RDONLY | constants.O_NOFOLLOW);
  try {
    const { size } = fstatSync(descriptor);
    const start = Math.max(from, size - MAX_READ_BYTES);
    const bytes = Buffer.alloc(Math.max(0, size - start));
    return bytes.toString("utf8", 0, readSync(descriptor, bytes, 0, bytes.length, start));
  } finally {
    closeSync(descriptor);
  }
}
