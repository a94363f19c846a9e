import fc from "fast-check";
import { expect, it } from "vitest";
import { parseNumberSet, renderNumberSet } from "../../src/tasks/model/number-set.ts";

it("writes numbers in a form that stays short, and reads them again", () => {
  expect(renderNumberSet([5, 3, 1, 2, 9, 2])).toBe("1-3,5,9");
  expect(renderNumberSet([])).toBe("");
  fc.assert(
    fc.property(fc.uniqueArray(fc.integer({ min: 1, max: 60 })), (numbers) => {
      expect([...parseNumberSet(renderNumberSet(numbers))]).toEqual(numbers.toSorted((a, b) => a - b));
    }),
  );
});

it("does not fill the memory with a damaged record", () => {
  expect(parseNumberSet("1-99999999999").size).toBeLessThan(2_000_000);
  expect([...parseNumberSet("x,2-y,4")]).toEqual([4]);
});
