/** One resource of one node: its limit, what it has lent to open workers, and what is spent. */
export interface Account {
  /** Null means no limit of its own. */
  readonly limit: number | null;
  /** Lent to workers that are still open. */
  readonly lent: number;
  /** Own use plus everything closed workers used. */
  readonly spent: number;
}

export function openAccount(limit: number | null): Account {
  return { limit, lent: 0, spent: 0 };
}

/** The amount that can still be spent or lent; null when unlimited. It may be negative after an overshoot. */
export function computeAvailable(account: Account): number | null {
  return account.limit === null ? null : account.limit - account.lent - account.spent;
}

export type LendResult =
  | { readonly ok: true; readonly lender: Account; readonly borrower: Account }
  | { readonly ok: false; readonly available: number };

/**
 * Lends a slice to a worker. A limited lender always lends a limited slice: asking for none lends `share`
 * of what is left, so that siblings can never overspend together.
 */
export function lendSlice(
  lender: Account,
  ask: { readonly amount?: number; readonly share?: number },
): LendResult {
  const left = computeAvailable(lender);
  if (left === null) {
    const limit = ask.amount ?? null;
    return {
      ok: true,
      lender: { ...lender, lent: lender.lent + (limit ?? 0) },
      borrower: openAccount(limit),
    };
  }
  const amount = ask.amount ?? Math.floor(left * (ask.share ?? 1));
  if (amount > left || left <= 0) return { ok: false, available: Math.max(0, left) };
  return { ok: true, lender: { ...lender, lent: lender.lent + amount }, borrower: openAccount(amount) };
}

/** Books use that has already happened; booking is never refused. */
export function bookSpending(account: Account, amount: number): Account {
  return { ...account, spent: account.spent + amount };
}

/**
 * Closes a worker's account: the slice returns to the lender, and what the worker used stays booked there, an
 * overshoot of the last request included.
 */
export function settleLoan(lender: Account, borrower: Account): Account {
  if (borrower.lent !== 0) throw new RangeError("a worker with open loans cannot be settled");
  return { ...lender, lent: lender.lent - (borrower.limit ?? 0), spent: lender.spent + borrower.spent };
}

/**
 * Past the soft limit a worker is asked to finish; at the limit it is stopped. The lender cannot use what it has
 * lent, so that counts against its own remainder.
 */
export function measurePressure(account: Account, softLimit: number): "free" | "soft" | "hard" {
  if (account.limit === null) return "free";
  const own = account.limit - account.lent;
  if (account.spent >= own) return "hard";
  return account.spent >= own * softLimit ? "soft" : "free";
}
