import { toList } from "./fields.ts";

const MAX_ID_LENGTH = 100;
const MAX_DIGITS = 9;

/** Gives each task one spelling: `7`, `"7"` and `007` become "7"; `12.1` and `US-3` stay as they are (C37). */
export function normalizeId(value: unknown): string | undefined {
  if (typeof value === "number") return Number.isFinite(value) ? String(value) : undefined;
  if (typeof value !== "string") return undefined;
  const text = value.trim();
  if (text === "" || text.length > MAX_ID_LENGTH || hasSpace(text)) return undefined;
  return isDigits(text) ? removeLeadingZeros(text) : text;
}

/** The number of a numeric id; `000`, which appears after numbers wrapped around, has none. */
export function parseTaskNumber(id: string): number | undefined {
  if (!isDigits(id) || id.length > MAX_DIGITS) return undefined;
  const number = Number(id);
  return number === 0 ? undefined : number;
}

export function isDigits(text: string): boolean {
  return /^\d+$/.test(text);
}

/** The ids in a field of a task; values that are not ids are ignored. */
export function normalizeIds(value: unknown): readonly string[] {
  return toList(value).flatMap((item) => normalizeId(item) ?? []);
}

/** The form in state.json: a number if the id is one. */
export function toWrittenId(id: string): number | string {
  const number = Number(id);
  return String(number) === id && Number.isFinite(number) ? number : id;
}

/** Whether a list is sorted from the newest number down, judged by its ends. */
export function isCountingDown(ids: readonly string[]): boolean {
  const first = parseTaskNumber(ids[0] ?? "");
  const last = parseTaskNumber(ids.at(-1) ?? "");
  return first !== undefined && last !== undefined && first > last;
}

function removeLeadingZeros(digits: string): string {
  let start = 0;
  while (start < digits.length - 1 && digits.charAt(start) === "0") start += 1;
  return digits.slice(start);
}

function hasSpace(text: string): boolean {
  return /\s/.test(text);
}
