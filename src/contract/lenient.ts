import * as z from "zod";
import { withoutNulls } from "./schema-problems.ts";

/** Text with at least one character that is not white space; stored as given. */
export const filledText = z.string().refine((text) => text.trim() !== "", "must not be empty");

/** A number that may arrive as decimal text (C34); the number is what is stored. */
export function lenientNumber<Schema extends z.ZodType<number>>(schema: Schema) {
  return z.preprocess(
    (value) => (typeof value === "string" ? (parseDecimal(value) ?? value) : value),
    schema,
  );
}

/** A schema for an object that reads `null` fields as absent ones. */
export function nullsAbsent<Schema extends z.ZodType>(schema: Schema) {
  return z.preprocess(withoutNulls, schema);
}

/** One text is read as a list of one, as agents often leave out the brackets. */
export function lenientList<Schema extends z.ZodType>(schema: Schema) {
  return z.preprocess((value) => (typeof value === "string" ? [value] : value), schema);
}

/** `4`, `2.5`, `-1`; no exponent, plus sign, unit or infinity. */
export function parseDecimal(text: string): number | undefined {
  const trimmed = text.trim();
  if (!/^-?\d+(?:\.\d+)?$/.test(trimmed)) return undefined;
  const number = Number(trimmed);
  return Number.isFinite(number) ? number : undefined;
}
