import { isRecord } from "../../contract/lenient.ts";

/** Reads one field of what may be anything; what is not of the wanted kind is as good as absent. */
export interface Fields {
  readonly text: (name: string) => string;
  readonly amount: (name: string) => number;
  readonly amountOrNull: (name: string) => number | null;
  readonly texts: (name: string) => readonly string[];
  readonly list: (name: string) => readonly Fields[];
  readonly within: (name: string) => Fields;
  readonly numbers: (name: string) => readonly number[];
}

export function readFields(data: unknown): Fields {
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
    text: (name) => textOf(value(name)),
    amount: (name) => amountOrNull(name) ?? 0,
    amountOrNull,
    texts: (name) => items(name).filter((item) => typeof item === "string"),
    list: (name) => items(name).map(readFields),
    within: (name) => readFields(value(name)),
    numbers: (name) => items(name).filter(isAmount),
  };
}

function textOf(value: unknown): string {
  return typeof value === "string" ? value : "";
}

function isAmount(value: unknown): value is number {
  return typeof value === "number" && Number.isFinite(value) && value >= 0;
}

const MAX_LINE = 500;
/** Of a long output only the end can hold its last line. */
const MAX_LOOKED_AT = 10_000;

/** The last line with anything on it, cut to a length nobody's screen is wider than. */
export function lastLine(text: string): string {
  const lines = text.slice(-MAX_LOOKED_AT).split(/[\r\n]/);
  return (lines.findLast((line) => line.trim() !== "") ?? "").trim().slice(0, MAX_LINE);
}
