import { totalTokens, type Usage } from "../../src/contract/usage.ts";

/** One resource of one delegation, kept a second time. */
export interface Book {
  readonly limit: number | null;
  /** Lent to workers that are open. */
  lent: number;
  /** Own use. */
  own: number;
  /** What closed workers used. */
  below: number;
  largestReport: number;
  /** By how much its closed workers went over what they were lent. */
  overBelow: number;
}

export interface Books {
  readonly tokens: Book;
  readonly money: Book;
}

export function openBooks(budgetTokens: number | null, budgetMicroUsd: number | null): Books {
  return { tokens: openBook(budgetTokens), money: openBook(budgetMicroUsd) };
}

function openBook(limit: number | null): Book {
  return { limit, lent: 0, own: 0, below: 0, largestReport: 0, overBelow: 0 };
}

export function spent(book: Book): number {
  return book.own + book.below;
}

export function lendTo(lender: Books, borrower: Books): readonly string[] {
  return eachBook(lender, borrower, (from, to, name) => {
    const left = from.limit === null ? Number.POSITIVE_INFINITY : from.limit - from.lent - spent(from);
    from.lent += to.limit ?? 0;
    if (from.limit !== null && to.limit === null) return [`${name}: a bounded manager lent without a bound`];
    return (to.limit ?? 0) > Math.max(0, left) ? [`${name}: lent ${to.limit ?? 0} of ${left}`] : [];
  });
}

export function book(books: Books, usage: Usage): readonly string[] {
  const amounts = { tokens: totalTokens(usage), money: usage.microUsd };
  return (["tokens", "money"] as const).flatMap((name) => {
    const kept = books[name];
    kept.own += amounts[name];
    kept.largestReport = Math.max(kept.largestReport, amounts[name]);
    return overspent(kept, name);
  });
}

/** What is over the limit is one report of its own, and what its workers went over theirs; no more. */
function overspent(kept: Book, name: string): readonly string[] {
  const allowed = kept.largestReport + kept.overBelow;
  return overOf(kept) > allowed
    ? [`${name}: ${overOf(kept)} over the limit of ${kept.limit ?? "none"}, at most ${allowed} are explained`]
    : [];
}

function overOf(kept: Book): number {
  return kept.limit === null ? 0 : Math.max(0, spent(kept) + kept.lent - kept.limit);
}

export function giveBack(lender: Books, borrower: Books): readonly string[] {
  return eachBook(lender, borrower, (to, from, name) => {
    to.lent -= from.limit ?? 0;
    to.below += spent(from);
    to.overBelow += overOf(from);
    return from.lent === 0 ? [] : [`${name}: closed while ${from.lent} were lent`];
  });
}

function eachBook(
  one: Books,
  other: Books,
  act: (left: Book, right: Book, name: string) => readonly string[],
): readonly string[] {
  return [...act(one.tokens, other.tokens, "tokens"), ...act(one.money, other.money, "money")];
}
