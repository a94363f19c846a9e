import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { median, p95 } from "../../src/reports/figures/figures.ts";

describe("percentiles", () => {
  it("are those of the values, and null without values (R106)", () => {
    const hundred = Array.from({ length: 100 }, (_, index) => 100 - index);
    expect([median(hundred), p95(hundred)]).toStrictEqual([50.5, 95]);
    expect([median([3]), p95([3])]).toStrictEqual([3, 3]);
    expect([median([5, 1, 9]), p95([5, 1, 9])]).toStrictEqual([5, 9]);
    expect([median([]), p95([])]).toStrictEqual([null, null]);
  });

  it("never lie below half or 95 of 100 of the values, in whatever order these come", () => {
    fc.assert(
      fc.property(fc.array(fc.nat(1000), { minLength: 1 }), (values) => {
        const upTo = (limit: number | null): number =>
          values.filter((value) => value <= (limit ?? -1)).length;
        expect(upTo(p95(values))).toBeGreaterThanOrEqual(values.length * 0.95);
        expect(upTo(median(values))).toBeGreaterThanOrEqual(Math.floor(values.length / 2));
        expect(p95(values.toReversed())).toBe(p95(values));
      }),
    );
  });
});
