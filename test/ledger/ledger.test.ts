import fc from "fast-check";
import { describe, expect, it } from "vitest";
import {
  computeAvailable,
  lendSlice,
  openAccount,
  measurePressure,
  settleLoan,
  bookSpending,
  type Account,
} from "../../src/ledger/budget-tree.ts";
import { formatSpent, formatUsd, parseMicroUsd, toKnownUsd, toUsdNumber } from "../../src/base/money.ts";

describe("money", () => {
  it("adds up exactly where floating point does not (R102, R104)", () => {
    const parts = [2.5, 0.45, 0.38, 0.22].map(parseMicroUsd);
    expect(formatUsd(parts.reduce((sum, part) => sum + part, 0))).toBe("$3.55");
    expect(toUsdNumber(parts.reduce((sum, part) => sum + part, 0))).toBe(3.55);
    expect(parseMicroUsd(0.1) + parseMicroUsd(0.2)).toBe(parseMicroUsd(0.3));
  });

  it("keeps up to six decimal places exactly", () => {
    fc.assert(
      fc.property(fc.nat(10 ** 9), fc.nat(999_999), (whole, micros) => {
        const written = Number(`${whole}.${String(micros).padStart(6, "0")}`);
        expect(parseMicroUsd(written)).toBe(whole * 1_000_000 + micros);
      }),
      { numRuns: 2000 },
    );
  });

  it("is shown to people in cents, rounded half up and with a sign, and as not reported if it is 0", () => {
    expect(formatUsd(0)).toBe("$0.00");
    expect(formatUsd(4_999)).toBe("$0.00");
    const spent = [formatSpent(0), formatSpent(0, 10), formatSpent(1), formatSpent(5000, 10)];
    expect(spent).toStrictEqual(["cost not reported", "cost unknown", "<$0.01", "$0.01"]);
    expect([toKnownUsd(0), toKnownUsd(1)]).toStrictEqual([null, 0.000001]);
    expect(formatUsd(5_000)).toBe("$0.01");
    expect(formatUsd(1_005_000)).toBe("$1.01");
    expect(formatUsd(-2_500_000)).toBe("-$2.50");
    expect(formatUsd(12_345_670_000)).toBe("$12345.67");
  });

  it("is refused if its number is not an amount", () => {
    for (const value of [Number.NaN, Number.POSITIVE_INFINITY, 1e300])
      expect(() => parseMicroUsd(value)).toThrow("not an amount");
  });
});

describe("one account", () => {
  it("reports what is left, or that it is unlimited", () => {
    expect(openAccount(100)).toEqual({ limit: 100, lent: 0, spent: 0 });
    expect(computeAvailable({ limit: 100, lent: 30, spent: 20 })).toBe(50);
    expect(computeAvailable({ limit: null, lent: 30, spent: 20 })).toBeNull();
  });

  it("lends a named amount, or a share of what is left", () => {
    const manager = bookSpending(openAccount(100), 10);
    expect(lendSlice(manager, { amount: 90 })).toEqual({
      ok: true,
      lender: { limit: 100, lent: 90, spent: 10 },
      borrower: { limit: 90, lent: 0, spent: 0 },
    });
    expect(lendSlice(manager, { share: 0.5 })).toMatchObject({ ok: true, borrower: { limit: 45 } });
    expect(lendSlice(openAccount(10), { share: 1 / 3 })).toMatchObject({ borrower: { limit: 3 } });
    expect(lendSlice(manager, {})).toMatchObject({ borrower: { limit: 90 } });
  });

  it("refuses more than it has, and everything once nothing is left", () => {
    const manager = bookSpending(openAccount(100), 10);
    expect(lendSlice(manager, { amount: 91 })).toEqual({ ok: false, available: 90 });
    expect(lendSlice(bookSpending(openAccount(5), 5), {})).toEqual({ ok: false, available: 0 });
    expect(lendSlice(bookSpending(openAccount(5), 9), { amount: 0 })).toEqual({ ok: false, available: 0 });
  });

  it("lets an unlimited manager lend a limited slice or none", () => {
    expect(lendSlice(openAccount(null), { amount: 7 })).toEqual({
      ok: true,
      lender: { limit: null, lent: 7, spent: 0 },
      borrower: { limit: 7, lent: 0, spent: 0 },
    });
    expect(lendSlice(openAccount(null), { share: 0.5 })).toMatchObject({
      lender: { lent: 0 },
      borrower: { limit: null },
    });
  });

  it("gets the unspent part back and keeps the usage, overshoot included", () => {
    const lender: Account = { limit: 100, lent: 40, spent: 5 };
    expect(settleLoan(lender, { limit: 40, lent: 0, spent: 12 })).toEqual({ limit: 100, lent: 0, spent: 17 });
    expect(settleLoan(lender, { limit: 40, lent: 0, spent: 44 })).toEqual({ limit: 100, lent: 0, spent: 49 });
    expect(settleLoan({ ...lender, lent: 0 }, { limit: null, lent: 0, spent: 3 })).toEqual({
      limit: 100,
      lent: 0,
      spent: 8,
    });
    expect(() => settleLoan(lender, { limit: 40, lent: 1, spent: 0 })).toThrow("open loans");
  });

  it("reports pressure from its own spending of the part that it has not lent", () => {
    expect(measurePressure({ limit: null, lent: 0, spent: 10 ** 9 }, 0.9)).toBe("free");
    expect(measurePressure({ limit: 100, lent: 0, spent: 89 }, 0.9)).toBe("free");
    expect(measurePressure({ limit: 100, lent: 0, spent: 90 }, 0.9)).toBe("soft");
    expect(measurePressure({ limit: 100, lent: 0, spent: 99 }, 0.9)).toBe("soft");
    expect(measurePressure({ limit: 100, lent: 0, spent: 100 }, 0.9)).toBe("hard");
    expect(measurePressure({ limit: 100, lent: 50, spent: 44 }, 0.9)).toBe("free");
    expect(measurePressure({ limit: 100, lent: 50, spent: 45 }, 0.9)).toBe("soft");
    expect(measurePressure({ limit: 100, lent: 50, spent: 50 }, 0.9)).toBe("hard");
  });
});

describe("a tree of accounts (R104, R196)", () => {
  type Node = { account: Account; parent: number | null; open: boolean };
  const step = fc.record({
    node: fc.nat(20),
    kind: fc.constantFrom("lend", "spend", "close"),
    amount: fc.nat(400),
  });

  it("never lends more than the root has, whatever siblings do, and loses no usage", () => {
    fc.assert(
      fc.property(fc.array(step, { maxLength: 120 }), (steps) => {
        const nodes: Node[] = [{ account: openAccount(1000), parent: null, open: true }];
        let used = 0;
        for (const { node: pick, kind, amount } of steps) {
          const index = pick % nodes.length;
          const node = nodes[index];
          if (node === undefined || !node.open) continue;
          if (kind === "lend") {
            const result = lendSlice(node.account, { amount });
            if (!result.ok) continue;
            node.account = result.lender;
            nodes.push({ account: result.borrower, parent: index, open: true });
          } else if (kind === "spend") {
            const own = Math.min(amount, Math.max(0, computeAvailable(node.account) ?? 0));
            node.account = bookSpending(node.account, own);
            used += own;
          } else if (
            node.parent !== null &&
            node.account.lent === 0 &&
            !nodes.some((child) => child.open && child.parent === index)
          ) {
            const parent = nodes[node.parent];
            if (parent === undefined) continue;
            parent.account = settleLoan(parent.account, node.account);
            node.open = false;
          }
          for (const each of nodes.filter((candidate) => candidate.open)) {
            expect(computeAvailable(each.account)).toBeGreaterThanOrEqual(0);
          }
        }
        const booked = nodes.filter((node) => node.open).reduce((sum, node) => sum + node.account.spent, 0);
        expect(booked).toBe(used);
        expect(used).toBeLessThanOrEqual(1000);
      }),
      { numRuns: 300 },
    );
  });
});
