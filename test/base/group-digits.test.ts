import { expect, it } from "vitest";
import fc from "fast-check";
import { groupDigits } from "../../src/base/group-digits.ts";

it("groups digits as an English reader expects", () => {
  const values = [0, 7, 999, 1000, 85_000, 1_234_567, -1, -999, -1000, -1_234_567, 0.5, 1234.5678];
  expect(values.map(groupDigits)).toEqual([
    "0",
    "7",
    "999",
    "1,000",
    "85,000",
    "1,234,567",
    "-1",
    "-999",
    "-1,000",
    "-1,234,567",
    "0.5",
    "1,234.568",
  ]);
});

it("writes whole numbers as Node's own formatting does", () => {
  fc.assert(
    fc.property(fc.maxSafeInteger(), (value) => {
      // Thousandths of larger numbers do not fit into a double.
      const amount = Math.trunc(value / 1000);
      expect(groupDigits(amount)).toBe((amount + 0).toLocaleString("en-US"));
    }),
  );
});
