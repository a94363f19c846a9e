import { dashboardErrors } from "../../errors/dashboard.ts";

/** A whole number from the query; undefined if it is not there. */
export function readNumber(
  query: URLSearchParams,
  name: string,
  { least = 0, most = Number.MAX_SAFE_INTEGER }: { readonly least?: number; readonly most?: number } = {},
): number | undefined {
  const text = query.get(name);
  if (text === null || text === "") return undefined;
  const number = /^\d{1,16}$/.test(text) ? Number(text) : Number.NaN;
  if (Number.isSafeInteger(number) && number >= least && number <= most) return number;
  throw dashboardErrors.numberOutOfBounds({ name, text: text.slice(0, 40), least, most });
}

const MAX_WORD_LENGTH = 400;

export function readWord(query: URLSearchParams, name: string): string | undefined {
  const text = query.get(name);
  return text === null || text === "" ? undefined : text.slice(0, MAX_WORD_LENGTH);
}
