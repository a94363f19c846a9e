import { FileTail } from "../../containment/tail-file.ts";
import { redactCredentials } from "../../redaction/redact.ts";
import type { LogSource } from "./find-log-files.ts";

/** One line that an agent wrote. */
export interface LogLine {
  readonly [key: string]: unknown;
  readonly delegation: string;
  readonly attempt: number;
  readonly stream: string;
  readonly text: string;
}

export const wholeFile = { maxBytes: Number.MAX_SAFE_INTEGER, maxMs: Number.POSITIVE_INFINITY } as const;

/** Opens a log; `onLine` receives every complete line. `skipBytes` skips the beginning, up to the next line. */
export function openLog(
  source: LogSource,
  { skipBytes, onLine }: { readonly skipBytes: number; readonly onLine: (line: LogLine) => void },
): FileTail {
  const { delegation, attempt, stream, path } = source;
  let isPartial = skipBytes > 0;
  return new FileTail({
    path,
    offset: skipBytes,
    onLine: ({ text }) => {
      if (!isPartial) onLine({ delegation, attempt, stream, text: redactCredentials(text).text });
      isPartial = false;
    },
  });
}

/** The lines of one file that is not followed; its last line may lack a line end. */
export function readLog(source: LogSource, skipBytes = 0): readonly LogLine[] {
  const lines: LogLine[] = [];
  const tail = openLog(source, { skipBytes, onLine: (line) => lines.push(line) });
  try {
    tail.read(wholeFile);
    tail.finish();
  } finally {
    tail.close();
  }
  return lines;
}

/** The newest `count` of each delegation; of all when no count is given. */
export function keepNewestLines(lines: readonly LogLine[], count: number | undefined): readonly LogLine[] {
  if (count === undefined) return lines;
  const left = new Map<string, number>();
  const kept = lines.toReversed().filter(({ delegation }) => {
    const more = left.get(delegation) ?? count;
    left.set(delegation, more - 1);
    return more > 0;
  });
  return kept.toReversed();
}
