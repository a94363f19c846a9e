import { parseMarker } from "../model/markers.ts";
import type { Span } from "./lines.ts";

/** A status as written: the span to replace and its text. */
export interface WrittenStatus extends Span {
  readonly text: string;
}

/**
 * Finds the marker in the value of a status field: the last known one, else the first bracket, else the whole value.
 * Offsets count from the beginning of `value`; the span includes the brackets.
 */
export function findMarker(value: string): WrittenStatus {
  const brackets = findBrackets(value);
  const known = brackets.findLast(({ text }) => parseMarker(text) !== undefined);
  return known ?? brackets[0] ?? { start: 0, end: value.length, text: value };
}

/** Finds a known marker at the end of a heading: `### 244. Title [PLANNED]`. */
export function findTrailingMarker(value: string): WrittenStatus | undefined {
  const last = findBrackets(value).at(-1);
  if (last === undefined || value.slice(last.end).trim() !== "") return undefined;
  return parseMarker(last.text) === undefined ? undefined : last;
}

/** `[PR READY]`, also for statuses of other tools. */
export function renderStatusText(text: string): string {
  return `[${text.replaceAll("_", " ").toUpperCase()}]`;
}

/** Finds every `[text]` that is not a link. */
function findBrackets(value: string): readonly WrittenStatus[] {
  const found: WrittenStatus[] = [];
  let start = -1;
  for (let index = 0; index < value.length; index += 1) {
    const character = value.charAt(index);
    if (character === "[") start = index;
    if (character !== "]" || start === -1) continue;
    if (value.charAt(index + 1) !== "(") {
      found.push({ start, end: index + 1, text: value.slice(start, index + 1) });
    }
    start = -1;
  }
  return found;
}
