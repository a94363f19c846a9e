import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { parseWholeNumber } from "../../../src/cli/input/option-values.ts";

describe("parseWholeNumber", () => {
  it("reads every whole number it is given", () => {
    fc.assert(
      fc.property(fc.maxSafeNat(), (number) => {
        expect(parseWholeNumber(String(number), "--max")).toBe(number);
      }),
    );
  });

  it("accepts only digits", () => {
    fc.assert(
      fc.property(
        fc.string().filter((text) => !/^\d+$/.test(text)),
        (text) => {
          expect(() => parseWholeNumber(text, "--max")).toThrow(/^--max must be a whole number/);
        },
      ),
    );
  });

  it("refuses a value that a number cannot represent exactly", () => {
    expect(() => parseWholeNumber("9007199254740993", "--max")).toThrow(/whole number/);
  });
});
