import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { computeMedian, computeP95 } from "../../src/reports/figures/figures.ts";

describe("percentiles", () => {
  it("match the values, and are null without values (R106)", () => {
    const hundred = Array.from({ length: 100 }, (_, index) => 100 - index);
    expect([computeMedian(hundred), computeP95(hundred)]).toStrictEqual([50.5, 95]);
    expect([computeMedian([3]), computeP95([3])]).toStrictEqual([3, 3]);
    expect([computeMedian([5, 1, 9]), computeP95([5, 1, 9])]).toStrictEqual([5, 9]);
    expect([computeMedian([]), computeP95([])]).toStrictEqual([null, null]);
  });

  it("are never below half or 95 per cent of the values, in any order", () => {
    fc.assert(
      fc.property(fc.array(fc.nat(1000), { minLength: 1 }), (values) => {
        const upTo = (limit: number | null): number =>
          values.filter((value) => value <= (limit ?? -1)).length;
        expect(upTo(computeP95(values))).toBeGreaterThanOrEqual(values.length * 0.95);
        expect(upTo(computeMedian(values))).toBeGreaterThanOrEqual(Math.floor(values.length / 2));
        expect(computeP95(values.toReversed())).toBe(computeP95(values));
      }),
    );
  });
});
