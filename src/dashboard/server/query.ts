import { DelegationError } from "../../base/delegation-error.ts";

/** A whole number of the address; undefined where it is not there. */
export function wholeNumber(
  query: URLSearchParams,
  name: string,
  { least = 0, most = Number.MAX_SAFE_INTEGER }: { readonly least?: number; readonly most?: number } = {},
): number | undefined {
  const text = query.get(name);
  if (text === null || text === "") return undefined;
  const number = /^\d{1,16}$/.test(text) ? Number(text) : Number.NaN;
  if (Number.isSafeInteger(number) && number >= least && number <= most) return number;
  throw new DelegationError({
    code: "USAGE",
    message: `${name} is ${text.slice(0, 40)}; it must be a whole number from ${least} to ${most}.`,
    recommendation: "Leave it out, or give a number within these bounds.",
  });
}

const LONGEST = 400;

export function word(query: URLSearchParams, name: string): string | undefined {
  const text = query.get(name);
  return text === null || text === "" ? undefined : text.slice(0, LONGEST);
}
