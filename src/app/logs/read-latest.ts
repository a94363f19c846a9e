import { lstatSync } from "node:fs";
import { isRecord } from "../../base/json.ts";
import type { Delegation } from "../../journal/store.ts";
import { findLogSources, type LogSource } from "./find-log-files.ts";
import { readLog } from "./read-log-lines.ts";

/** The newest line that an agent wrote for people, and when it wrote anything at all. */
interface LatestOutput {
  /** Empty if it wrote only lines for programs. */
  readonly text: string;
  readonly atMs: number;
}

const MAX_TAIL_BYTES = 8 * 1024;

/** The newest output of the newest attempt of a delegation; undefined if it has written nothing. */
export function readLatestOutput(
  stateDirectory: string,
  { id, attempt }: Pick<Delegation, "id" | "attempt">,
): LatestOutput | undefined {
  const sources = findLogSources(stateDirectory, [{ id }]).filter((source) => source.attempt === attempt);
  const written = sources.filter(({ bytes }) => bytes > 0);
  if (written.length === 0) return undefined;
  const text =
    written
      .toReversed()
      .map(readLastLine)
      .find((line) => line !== "") ?? "";
  return { text, atMs: Math.max(...written.map(readWriteTime)) };
}

function readLastLine(source: LogSource): string {
  const lines = readLog(source, Math.max(0, source.bytes - MAX_TAIL_BYTES)).map(({ text }) => text.trim());
  return lines.findLast((line) => line !== "" && !isForPrograms(line)) ?? "";
}

/** Agents that report as JSON write one object for each line, which a person cannot read in a list. */
function isForPrograms(line: string): boolean {
  if (!line.startsWith("{")) return false;
  try {
    return isRecord(JSON.parse(line));
  } catch {
    return false;
  }
}

function readWriteTime({ path }: LogSource): number {
  return lstatSync(path, { throwIfNoEntry: false })?.mtimeMs ?? 0;
}
