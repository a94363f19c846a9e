import { usageError } from "../../errors/usage.ts";
import type { Invocation } from "./command-module.ts";
import { quoteExcerpt } from "../../base/visible-text.ts";

/** Declared with `option`, not `requiredOption`: commander would report it before a mistyped flag that explains it. */
export function requiredOption(invocation: Invocation, name: string): string {
  const value = invocation.option(name);
  if (value === undefined) throw usageError(`--${name} is required`, `Add --${name}; --help shows how.`);
  return value;
}

/** A required argument that names a story or a worker; without this, an empty one would mean the newest story. */
export function filledArgument(invocation: Invocation, name: string): string {
  const value = invocation.argument(name);
  if (value === "") throw usageError(`The argument ${name} is empty`, "Give it a value.");
  return value;
}

/** A required `--name <n>`; only plain digits count, so `-1`, `1.5`, `1e3` and `0x1` are refused. */
export function wholeNumber(invocation: Invocation, name: string): number {
  return parseWholeNumber(requiredOption(invocation, name), `--${name}`);
}

export function optionalWholeNumber(invocation: Invocation, name: string, least = 0): number | undefined {
  const value = invocation.option(name);
  if (value === undefined) return undefined;
  const number = parseWholeNumber(value, `--${name}`);
  if (number >= least) return number;
  throw usageError(
    `--${name} must be at least ${least}; got ${number}`,
    `Leave --${name} out for the default.`,
  );
}

/** The same with the highest value that any setting allows. */
export function numberUpTo(
  invocation: Invocation,
  name: string,
  { least = 0, most }: { readonly least?: number; readonly most: number },
): number | undefined {
  const number = optionalWholeNumber(invocation, name, least);
  if (number === undefined || number <= most) return number;
  throw usageError(
    `--${name} must be at most ${most}; got ${number}`,
    `Leave --${name} out for the default.`,
  );
}

export function parseWholeNumber(text: string, flag: string): number {
  const number = /^\d{1,16}$/.test(text) ? Number(text) : Number.NaN;
  if (Number.isSafeInteger(number)) return number;
  throw usageError(
    `${flag} must be a whole number, 0 or more; got "${quoteExcerpt(text)}"`,
    `Give ${flag} a number such as 2.`,
  );
}
