const LONGEST_ID = 100;
const MOST_DIGITS = 9;

/** One spelling for one task: `7`, `"7"` and `007` are "7"; `12.1` and `US-3` stay as they are (C37). */
export function canonicalId(value: unknown): string | undefined {
  if (typeof value === "number") return Number.isFinite(value) ? String(value) : undefined;
  if (typeof value !== "string") return undefined;
  const text = value.trim();
  if (text === "" || text.length > LONGEST_ID || hasSpace(text)) return undefined;
  return isDigits(text) ? withoutZeros(text) : text;
}

/** The number of an id that is one; `000`, found where numbers were wrapped, has none. */
export function numberOf(id: string): number | undefined {
  if (!isDigits(id) || id.length > MOST_DIGITS) return undefined;
  const number = Number(id);
  return number === 0 ? undefined : number;
}

export function isDigits(text: string): boolean {
  return /^\d+$/.test(text);
}

/** A list of ids from a field of a task: numbers and text, whatever else is in it left out. */
export function canonicalIds(value: unknown): readonly string[] {
  if (!Array.isArray(value)) return [];
  const list: readonly unknown[] = value;
  return list.flatMap((item) => canonicalId(item) ?? []);
}

/** As state.json writes it: a number where it is one. */
export function writtenId(id: string): number | string {
  const number = Number(id);
  return String(number) === id && Number.isFinite(number) ? number : id;
}

/** Whether a list is sorted from the newest number down, judged by its ends. */
export function countsDown(ids: readonly string[]): boolean {
  const first = numberOf(ids[0] ?? "");
  const last = numberOf(ids.at(-1) ?? "");
  return first !== undefined && last !== undefined && first > last;
}

function withoutZeros(digits: string): string {
  let start = 0;
  while (start < digits.length - 1 && digits.charAt(start) === "0") start += 1;
  return digits.slice(start);
}

function hasSpace(text: string): boolean {
  return /\s/.test(text);
}
