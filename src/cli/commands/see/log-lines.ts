import { FileTail } from "../../../containment/tail-file.ts";
import { visibleText } from "../../../base/visible-text.ts";
import type { LogSource } from "./log-sources.ts";
import { taskLabel } from "../../render/task-label.ts";

export interface LogLine {
  readonly delegation: string;
  readonly attempt: number;
  readonly stream: string;
  readonly text: string;
}

export const wholeFile = { maxBytes: Number.MAX_SAFE_INTEGER, maxMs: Number.POSITIVE_INFINITY } as const;

/** Opens a log; every complete line goes to `onLine`. `skipBytes` leaves the beginning out, up to the next line. */
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
      if (!isPartial) onLine({ delegation, attempt, stream, text });
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
export function tailOfEach(lines: readonly LogLine[], count: number | undefined): readonly LogLine[] {
  if (count === undefined) return lines;
  const left = new Map<string, number>();
  const kept = lines.toReversed().filter(({ delegation }) => {
    const more = left.get(delegation) ?? count;
    left.set(delegation, more - 1);
    return more > 0;
  });
  return kept.toReversed();
}

export interface LineStyle {
  readonly story: string;
  /** Whether each line says whose it is: needed as soon as there are several. */
  readonly isPrefixed: boolean;
  readonly dim: (text: string) => string;
}

/** `2.1#2 ! text`: whose, which attempt after the first, and `!` for stderr. */
export function renderLogLine(line: LogLine, { story, isPrefixed, dim }: LineStyle): string {
  const text = visibleText(line.text);
  if (!isPrefixed) return text;
  const label = taskLabel(line.delegation, story);
  const attempt = line.attempt === 1 ? "" : `#${line.attempt}`;
  return `${dim(`${label}${attempt} ${line.stream === "stderr" ? "!" : "|"}`)} ${text}`;
}
