/** Converts dollars to whole micro-dollars, exact to the sixth decimal place; throws on anything else. */
export function parseMicroUsd(dollars: number): number {
  const micro = Math.round(dollars * 1_000_000);
  if (!Number.isSafeInteger(micro)) throw new RangeError(`not an amount of dollars: ${dollars}`);
  return micro;
}

/** `$3.70`: rounded half up to cents for people. Sums are computed before rounding, never after. */
export function formatUsd(micro: number): string {
  const sign = micro < 0 ? "-" : "";
  const cents = Math.round(Math.abs(micro) / 10_000);
  return `${sign}$${Math.floor(cents / 100)}.${String(cents % 100).padStart(2, "0")}`;
}

/** The dollars for a JSON document: a plain number with at most six decimal places. */
export function toUsdNumber(micro: number): number {
  return micro / 1_000_000;
}

/** The same for an amount that agents used: null where nothing was reported or no price is known, because nothing is free. */
export function toKnownUsd(micro: number): number | null {
  return micro === 0 ? null : toUsdNumber(micro);
}

/** The same for a sum over this many delegations; nothing costs nothing. */
export function toKnownSum(micro: number, count: number): number | null {
  return count === 0 ? 0 : toKnownUsd(micro);
}

const HALF_CENT = 5000;

/** Formats the usage of agents for people. Never `$0.00`: usage that was not reported, or has no price, is not free. */
export function formatSpent(micro: number, tokens = 0): string {
  if (micro === 0) return tokens === 0 ? "cost not reported" : "cost unknown";
  return micro < HALF_CENT ? "<$0.01" : formatUsd(micro);
}
