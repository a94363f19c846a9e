import { isRecord } from "../../base/json.ts";
import type { Fields } from "../model/fields.ts";
import { NEXT_NUMBER } from "./state-file.ts";
import { isDigits } from "../model/task-id.ts";

/** The counter in the file, even if it is below used numbers: some projects start again at 1 after 999. */
export function readFirstNumber(top: Fields, used: Iterable<number>): number {
  const written = top[NEXT_NUMBER];
  const next = typeof written === "string" && isDigits(written) ? Number(written) : written;
  if (typeof next === "number" && Number.isSafeInteger(next) && next > 0) return next;
  let largest = 0;
  for (const number of used) largest = Math.max(largest, number);
  return next === 0 ? 1 : largest + 1;
}

export function findFreeNumber(from: number, used: ReadonlySet<number>): number {
  let number = from;
  while (used.has(number)) number += 1;
  return number;
}

/** The numbers in the agreed record, without reading the rest of it. */
export function readSeenNumbers(record: unknown): string {
  return isRecord(record) && typeof record["seen"] === "string" ? record["seen"] : "";
}
