import { readFileRange } from "../base/files.ts";
import { nameTimesFile } from "./watch/line-times.ts";

export { noteLineTime } from "./watch/line-times.ts";

/** The time of a line and of those after it, up to the next note. */
export interface LineTime {
  readonly line: number;
  readonly atMs: number;
}

/** A note takes about twenty bytes and is made once a second at most. */
const MAX_BYTES = 4 * 1024 * 1024;

/**
 * The times when lines of a log were written: the note before the first line, and all up to the last one. Older logs have
 * none.
 */
export function readLineTimes(
  logPath: string,
  { first, last }: { readonly first: number; readonly last: number },
): readonly LineTime[] {
  const notes = readNotes(nameTimesFile(logPath));
  const before = notes.findLast(({ line }) => line <= first);
  const within = notes.filter(({ line }) => line > first && line <= last);
  return before === undefined ? within : [before, ...within];
}

function readNotes(path: string): readonly LineTime[] {
  // The file is empty if nothing is written yet, or missing if the log is older than these notes.
  const range = readFileRange(path, (size) => ({ start: 0, end: Math.min(size, MAX_BYTES) }));
  return (range?.bytes.toString("utf8") ?? "").split("\n").flatMap((text) => {
    const [line = 0, atMs = 0] = /^\d{1,15} \d{1,15}$/.test(text) ? text.split(" ").map(Number) : [];
    return line === 0 ? [] : [{ line, atMs }];
  });
}
