import { readTextOrEmpty } from "../../base/files.ts";
import { type Fields, readFields } from "./read-line.ts";

/** Whether one of these variables or fields has a value. */
export function hasAnyField(fields: Fields, names: readonly string[]): boolean {
  return names.some((name) => (fields[name] ?? "") !== "");
}

/** The fields of a JSON file; none if it is missing or half written, as there cannot be a login. */
export function readJsonFields(file: string): Fields {
  try {
    return readFields(JSON.parse(readTextOrEmpty(file)));
  } catch {
    // Half written: the program itself could not use it either.
    return {};
  }
}
