import { parseTaskNumber, isDigits } from "./task-id.ts";

const MAX_NUMBERS = 1000;
const MAX_QUOTED_LENGTH = 40;

export type RangeErrorCode = "INVALID_RANGE" | "INVALID_TASK_NUMBER" | "NO_TASK_NUMBER" | "RANGE_TOO_LARGE";

export interface RangeProblem {
  readonly error: RangeErrorCode;
  readonly message: string;
}

export type TaskRange =
  | { readonly numbers: readonly number[]; readonly rest: string }
  | { readonly all: true; readonly rest: string }
  | RangeProblem;

/**
 * Reads `343-345, 337 rest of the line` into numbers in first-seen order without duplicates (C25); `all` means every
 * task. The text after the list and white space is `rest`.
 */
export function parseRange(text: string): TaskRange {
  const trimmed = text.trim();
  const [word = ""] = trimmed.split(/\s/, 1);
  if (word.toLowerCase() === "all") return { all: true, rest: trimmed.slice(word.length).trim() };
  if (!/^-?\d/.test(word)) {
    return reportProblem("NO_TASK_NUMBER", `${quoteShortened(trimmed)} does not begin with a task number`);
  }
  const { elements, rest } = splitElements(trimmed);
  const numbers = collectNumbers(elements);
  return "error" in numbers ? numbers : { numbers: numbers.found, rest };
}

function reportProblem(error: RangeErrorCode, message: string): RangeProblem {
  return { error, message };
}

function quoteShortened(text: string): string {
  return `"${text.length > MAX_QUOTED_LENGTH ? `${text.slice(0, MAX_QUOTED_LENGTH)}…` : text}"`;
}

/** White space ends the list unless a comma is before or after it. */
function splitElements(text: string): { readonly elements: readonly string[]; readonly rest: string } {
  const elements: string[] = [];
  let position = 0;
  for (;;) {
    const end = skipWhile(text, position, (character) => character !== "," && character.trim() !== "");
    elements.push(text.slice(position, end));
    position = skipWhile(text, end, isSpace);
    if (text.charAt(position) !== ",") return { elements, rest: text.slice(position) };
    position = skipWhile(text, position + 1, isSpace);
  }
}

function isSpace(character: string): boolean {
  return character.trim() === "";
}

function skipWhile(text: string, start: number, belongs: (character: string) => boolean): number {
  let position = start;
  while (position < text.length && belongs(text.charAt(position))) position += 1;
  return position;
}

function collectNumbers(elements: readonly string[]): { readonly found: readonly number[] } | RangeProblem {
  const found = new Set<number>();
  let total = 0;
  for (const element of elements) {
    const span = readRangeElement(element);
    if ("error" in span) return span;
    total += span.last - span.first + 1;
    // Counted before duplicates are removed, so that no list can make us expand more than this.
    if (total > MAX_NUMBERS) {
      return reportProblem("RANGE_TOO_LARGE", `More than ${MAX_NUMBERS} task numbers; use fewer, or "all"`);
    }
    for (let number = span.first; number <= span.last; number += 1) found.add(number);
  }
  return { found: [...found] };
}

function readRangeElement(element: string): { readonly first: number; readonly last: number } | RangeProblem {
  const hyphen = element.indexOf("-", 1);
  const [left, right] =
    hyphen === -1 ? [element, element] : [element.slice(0, hyphen), element.slice(hyphen + 1)];
  const first = parseTaskNumber(left);
  if (first === undefined)
    return reportProblem("INVALID_TASK_NUMBER", `${quoteShortened(left)} is not a task number`);
  if (!isDigits(right))
    return reportProblem("INVALID_RANGE", `${quoteShortened(element)} needs a number on both sides`);
  const last = parseTaskNumber(right);
  if (last === undefined)
    return reportProblem("INVALID_TASK_NUMBER", `${quoteShortened(right)} is not a task number`);
  if (last < first)
    return reportProblem(
      "INVALID_RANGE",
      `${quoteShortened(element)} runs backwards; write ${last}-${first}`,
    );
  return { first, last };
}
