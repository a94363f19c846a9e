import { isRecord } from "../../base/json.ts";

/** Reads fields of an unknown value; a field of the wrong kind counts as absent. */
export interface Fields {
  readonly text: (name: string) => string;
  readonly amount: (name: string) => number;
  readonly amountOrNull: (name: string) => number | null;
  readonly texts: (name: string) => readonly string[];
  readonly list: (name: string) => readonly Fields[];
  readonly within: (name: string) => Fields;
  readonly numbers: (name: string) => readonly number[];
  readonly names: () => readonly string[];
  readonly isTrue: (name: string) => boolean;
}

export function readEventFields(data: unknown): Fields {
  const value = (name: string): unknown =>
    isRecord(data) && Object.hasOwn(data, name) ? data[name] : undefined;
  const items = (name: string): readonly unknown[] => {
    const list = value(name);
    return Array.isArray(list) ? list : [];
  };
  const amountOrNull = (name: string): number | null => {
    const number = value(name);
    return isAmount(number) ? number : null;
  };
  return {
    text: (name) => readText(value(name)),
    amount: (name) => amountOrNull(name) ?? 0,
    amountOrNull,
    texts: (name) => items(name).filter((item) => typeof item === "string"),
    list: (name) => items(name).map(readEventFields),
    within: (name) => readEventFields(value(name)),
    numbers: (name) => items(name).filter(isAmount),
    names: () => (isRecord(data) ? Object.keys(data) : []),
    isTrue: (name) => value(name) === true,
  };
}

function readText(value: unknown): string {
  return typeof value === "string" ? value : "";
}

function isAmount(value: unknown): value is number {
  return typeof value === "number" && Number.isFinite(value) && value >= 0;
}

const MAX_LINE_LENGTH = 500;
/** The last line is near the end, so only the end of a long output is searched. */
const MAX_SEARCHED_LENGTH = 10_000;

/** The last line that is not blank, shortened to more than any screen shows. */
export function readLastLine(text: string): string {
  const lines = text.slice(-MAX_SEARCHED_LENGTH).split(/[\r\n]/);
  return (lines.findLast((line) => line.trim() !== "") ?? "").trim().slice(0, MAX_LINE_LENGTH);
}
