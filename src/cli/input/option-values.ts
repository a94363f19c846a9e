import { DelegationError } from "../../base/delegation-error.ts";
import type { Invocation } from "./command-module.ts";
import { quoteExcerpt } from "../../base/visible-text.ts";

/** Declared with `option`, not `requiredOption`: commander would report it before a mistyped flag that explains it. */
export function requiredOption(invocation: Invocation, name: string): string {
  const value = invocation.option(name);
  if (value === undefined) throw usage(`--${name} is required`, `Add --${name}; --help shows how.`);
  return value;
}

/** A required `--name <n>`; only plain digits count, so `-1`, `1.5`, `1e3` and `0x1` are refused. */
export function wholeNumber(invocation: Invocation, name: string): number {
  return parseWholeNumber(requiredOption(invocation, name), `--${name}`);
}

export function optionalWholeNumber(invocation: Invocation, name: string): number | undefined {
  const value = invocation.option(name);
  return value === undefined ? undefined : parseWholeNumber(value, `--${name}`);
}

export function parseWholeNumber(text: string, flag: string): number {
  const number = /^\d{1,16}$/.test(text) ? Number(text) : Number.NaN;
  if (Number.isSafeInteger(number)) return number;
  throw usage(
    `${flag} must be a whole number, 0 or more; got "${quoteExcerpt(text)}"`,
    `Give ${flag} a number such as 2.`,
  );
}

export function usage(message: string, recommendation: string): DelegationError {
  return new DelegationError({ code: "USAGE", message, recommendation });
}
