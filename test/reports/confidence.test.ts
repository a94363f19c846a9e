import fc from "fast-check";
import { describe, expect, it } from "vitest";
import {
  compareMeans,
  compareShares,
  estimateMean,
  estimateShare,
  isClear,
} from "../../src/reports/figures/confidence.ts";

describe("confidence intervals (R185)", () => {
  it.each([
    [5, 10, 0.2366, 0.7634],
    [0, 5, 0, 0.4345],
    [5, 5, 0.5655, 1],
    [81, 263, 0.2553, 0.3662],
  ])("are Wilson's for %i of %i", (hits, cases, low, high) => {
    const interval = estimateShare(hits, cases);
    expect(interval?.low).toBeCloseTo(low, 4);
    expect(interval?.high).toBeCloseTo(high, 4);
  });

  it("are Student's for a mean, and null for a single value", () => {
    const interval = estimateMean([1, 2, 3]);
    expect([interval?.low, interval?.high]).toEqual([expect.closeTo(-0.4843, 3), expect.closeTo(4.4843, 3)]);
    expect(estimateMean([1])).toBeNull();
    expect(estimateShare(0, 0)).toBeNull();
  });

  it("compare two shares with Newcombe's method and two means with Welch's", () => {
    const shares = compareShares({ hits: 56, cases: 70 }, { hits: 48, cases: 80 });
    expect(shares?.value).toBeCloseTo(0.2, 6);
    expect(shares?.interval?.low).toBeCloseTo(0.0524, 3);
    expect(shares?.interval?.high).toBeCloseTo(0.3339, 3);
    const means = compareMeans([1, 2, 3], [2, 3, 4]);
    expect(means).toEqual({
      value: -1,
      interval: { low: expect.closeTo(-3.2666, 3), high: expect.closeTo(1.2666, 3) },
    });
    expect(compareMeans([1], [2, 3])).toEqual({ value: -1.5, interval: null });
    expect(compareMeans([], [2])).toBeNull();
    expect(compareMeans([2, 2], [1, 1])).toEqual({ value: 1, interval: { low: 1, high: 1 } });
  });

  it("are conclusive only if they exclude zero", () => {
    expect(isClear({ value: 1, interval: { low: 0.1, high: 2 } })).toBe(true);
    expect(isClear({ value: -1, interval: { low: -2, high: -0.1 } })).toBe(true);
    expect(isClear({ value: 1, interval: { low: 0, high: 2 } })).toBe(false);
    expect(isClear({ value: 1, interval: null })).toBe(false);
  });

  it("contain the measured value, and get narrower with more cases", () => {
    fc.assert(
      fc.property(fc.integer({ min: 1, max: 200 }), fc.nat(200), (cases, any) => {
        const hits = any % (cases + 1);
        const few = estimateShare(hits, cases);
        const many = estimateShare(hits * 4, cases * 4);
        if (few === null || many === null) throw new Error("there are cases");
        expect(few.low).toBeLessThanOrEqual(hits / cases + 1e-9);
        expect(few.high).toBeGreaterThanOrEqual(hits / cases - 1e-9);
        expect(many.high - many.low).toBeLessThan(few.high - few.low);
      }),
    );
  });
});
