const MAX_DIGITS = 9;
const MAX_NUMBERS = 1000;
const QUOTED_LENGTH = 40;

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
 * Reads `343-345, 337 rest of the line`: first-seen order, no duplicates (C25); `all` stands for every task.
 * What follows the list after white space is `rest`.
 */
export function parseRange(text: string): TaskRange {
  const trimmed = text.trim();
  const [word = ""] = trimmed.split(/\s/, 1);
  if (word.toLowerCase() === "all") return { all: true, rest: trimmed.slice(word.length).trim() };
  if (!/^-?\d/.test(word)) {
    return problem("NO_TASK_NUMBER", `${quote(trimmed)} does not begin with a task number`);
  }
  const { elements, rest } = splitList(trimmed);
  const numbers = collectNumbers(elements);
  return "error" in numbers ? numbers : { numbers: numbers.found, rest };
}

function problem(error: RangeErrorCode, message: string): RangeProblem {
  return { error, message };
}

function quote(text: string): string {
  return `"${text.length > QUOTED_LENGTH ? `${text.slice(0, QUOTED_LENGTH)}…` : text}"`;
}

/** White space ends the list unless a comma stands before or after it. */
function splitList(text: string): { readonly elements: readonly string[]; readonly rest: string } {
  const elements: string[] = [];
  let position = 0;
  for (;;) {
    const end = skip(text, position, (character) => character !== "," && character.trim() !== "");
    elements.push(text.slice(position, end));
    position = skip(text, end, isSpace);
    if (text.charAt(position) !== ",") return { elements, rest: text.slice(position) };
    position = skip(text, position + 1, isSpace);
  }
}

function isSpace(character: string): boolean {
  return character.trim() === "";
}

function skip(text: string, start: number, belongs: (character: string) => boolean): number {
  let position = start;
  while (position < text.length && belongs(text.charAt(position))) position += 1;
  return position;
}

function collectNumbers(elements: readonly string[]): { readonly found: readonly number[] } | RangeProblem {
  const found = new Set<number>();
  let total = 0;
  for (const element of elements) {
    const span = readElement(element);
    if ("error" in span) return span;
    total += span.last - span.first + 1;
    // Counted before duplicates go, so that no list can make us expand more than this.
    if (total > MAX_NUMBERS) {
      return problem("RANGE_TOO_LARGE", `More than ${MAX_NUMBERS} task numbers; use fewer, or "all"`);
    }
    for (let number = span.first; number <= span.last; number += 1) found.add(number);
  }
  return { found: [...found] };
}

function readElement(element: string): { readonly first: number; readonly last: number } | RangeProblem {
  const hyphen = element.indexOf("-", 1);
  const [left, right] =
    hyphen === -1 ? [element, element] : [element.slice(0, hyphen), element.slice(hyphen + 1)];
  const first = readNumber(left);
  if (first === undefined) return problem("INVALID_TASK_NUMBER", `${quote(left)} is not a task number`);
  if (!isDigits(right)) return problem("INVALID_RANGE", `${quote(element)} needs a number on both sides`);
  const last = readNumber(right);
  if (last === undefined) return problem("INVALID_TASK_NUMBER", `${quote(right)} is not a task number`);
  if (last < first)
    return problem("INVALID_RANGE", `${quote(element)} runs backwards; write ${last}-${first}`);
  return { first, last };
}

/** 1 to 999999999. */
function readNumber(text: string): number | undefined {
  if (!isDigits(text) || text.length > MAX_DIGITS) return undefined;
  const number = Number(text);
  return number === 0 ? undefined : number;
}

function isDigits(text: string): boolean {
  return /^\d+$/.test(text);
}
