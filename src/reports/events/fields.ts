import { isRecord, type JsonFields } from "../../base/json.ts";

/** Reads fields of an unknown value; a field of the wrong kind counts as absent. */
export class Fields {
  readonly #value: JsonFields;

  constructor(value: unknown) {
    this.#value = isRecord(value) ? value : {};
  }

  text(name: string): string {
    return readText(this.#read(name));
  }

  amount(name: string): number {
    return this.amountOrNull(name) ?? 0;
  }

  amountOrNull(name: string): number | null {
    const number = this.#read(name);
    return isAmount(number) ? number : null;
  }

  texts(name: string): readonly string[] {
    return this.#items(name).filter((item) => typeof item === "string");
  }

  list(name: string): readonly Fields[] {
    return this.#items(name).map((item) => new Fields(item));
  }

  within(name: string): Fields {
    return new Fields(this.#read(name));
  }

  numbers(name: string): readonly number[] {
    return this.#items(name).filter(isAmount);
  }

  names(): readonly string[] {
    return Object.keys(this.#value);
  }

  isTrue(name: string): boolean {
    return this.#read(name) === true;
  }

  #read(name: string): unknown {
    return Object.hasOwn(this.#value, name) ? this.#value[name] : undefined;
  }

  #items(name: string): readonly unknown[] {
    const list = this.#read(name);
    return Array.isArray(list) ? list : [];
  }
}

export function readEventFields(data: unknown): Fields {
  return new Fields(data);
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
