import * as fc from "fast-check";
import { describe, expect, it } from "vitest";
import { parseRange } from "../../src/tasks/task.ts";

function errorOf(range: ReturnType<typeof parseRange>): string | undefined {
  return "error" in range ? range.error : undefined;
}

describe("parseRange", () => {
  it.each([
    ["343-345", [343, 344, 345], ""],
    ["337, 343-345", [337, 343, 344, 345], ""],
    ["343-345, 337", [343, 344, 345, 337], ""],
    ["343-345,337", [343, 344, 345, 337], ""],
    ["5", [5], ""],
    ["  5  ", [5], ""],
    ["5-5", [5], ""],
    ["007", [7], ""],
    ["3, 1-4, 2", [3, 1, 2, 4], ""],
    ["3 , 4,\t5", [3, 4, 5], ""],
    ["999999999", [999_999_999], ""],
    ["326 Focus on UI, backend, tests", [326], "Focus on UI, backend, tests"],
    ["7, 22-24 focus\non speed ", [7, 22, 23, 24], "focus\non speed"],
    ["5 --team", [5], "--team"],
  ])("reads %j (R138, C25)", (text, numbers, rest) => {
    expect(parseRange(text)).toEqual({ numbers, rest });
  });

  it.each([
    ["all", ""],
    ["ALL", ""],
    [" All tasks of today ", "tasks of today"],
  ])("reads %j as every task (R136, C26)", (text, rest) => {
    expect(parseRange(text)).toEqual({ all: true, rest });
  });

  it.each([
    ["9-3", "INVALID_RANGE"],
    ["343-", "INVALID_RANGE"],
    ["343-abc", "INVALID_RANGE"],
    ["1-2-3", "INVALID_RANGE"],
    ["1--3", "INVALID_RANGE"],
    ["1, 5-", "INVALID_RANGE"],
    ["0", "INVALID_TASK_NUMBER"],
    ["-5", "INVALID_TASK_NUMBER"],
    ["12abc", "INVALID_TASK_NUMBER"],
    ["1.5", "INVALID_TASK_NUMBER"],
    ["0-5", "INVALID_TASK_NUMBER"],
    ["1,,2", "INVALID_TASK_NUMBER"],
    ["1,", "INVALID_TASK_NUMBER"],
    ["1, ", "INVALID_TASK_NUMBER"],
    ["1, two", "INVALID_TASK_NUMBER"],
    ["1, -2", "INVALID_TASK_NUMBER"],
    ["1234567890", "INVALID_TASK_NUMBER"],
    ["1-1234567890", "INVALID_TASK_NUMBER"],
    ["", "NO_TASK_NUMBER"],
    ["   ", "NO_TASK_NUMBER"],
    ["fix it", "NO_TASK_NUMBER"],
    ["allow", "NO_TASK_NUMBER"],
    ["all,5", "NO_TASK_NUMBER"],
    [",5", "NO_TASK_NUMBER"],
    ["- 5", "NO_TASK_NUMBER"],
    ["#244", "NO_TASK_NUMBER"],
    ["٣", "NO_TASK_NUMBER"],
    ["1-1001", "RANGE_TOO_LARGE"],
    ["1-600, 2000-2400", "RANGE_TOO_LARGE"],
    ["1-999999999", "RANGE_TOO_LARGE"],
    [Array.from({ length: 1001 }, () => "1").join(","), "RANGE_TOO_LARGE"],
  ])("refuses %j as %s (R138, R147)", (text, code) => {
    expect(errorOf(parseRange(text))).toBe(code);
  });

  it("accepts 1,000 numbers", () => {
    expect(parseRange("1-1000")).toMatchObject({ numbers: { length: 1000 } });
  });

  it("says what is wrong with the values, and quotes little of a long text", () => {
    expect(parseRange("9-3")).toEqual({ error: "INVALID_RANGE", message: '"9-3" runs backwards; write 3-9' });
    expect(parseRange(" fix it ")).toEqual({
      error: "NO_TASK_NUMBER",
      message: '"fix it" does not begin with a task number',
    });
    const range = parseRange("x".repeat(1_000_000));
    expect("message" in range && range.message.length < 100).toBe(true);
  });

  it("expands any list of spans in first-seen order without duplicates (C25)", () => {
    const span = fc.tuple(fc.integer({ min: 1, max: 60 }), fc.integer({ min: 0, max: 9 }));
    const spans = fc.array(fc.tuple(span, fc.constantFrom(",", ", ", " ,", " , ")), {
      minLength: 1,
      maxLength: 30,
    });
    fc.assert(
      fc.property(spans, (list) => {
        const written = list.map(([[first, more]]) => (more === 0 ? `${first}` : `${first}-${first + more}`));
        const text = written.reduce((sum, element, index) => `${sum}${list[index]?.[1] ?? ","}${element}`);
        const expanded = list.flatMap(([[first, more]]) =>
          Array.from({ length: more + 1 }, (_, step) => first + step),
        );
        expect(parseRange(`${text} prompt, 5`)).toEqual({
          numbers: [...new Set(expanded)],
          rest: "prompt, 5",
        });
      }),
    );
  });

  it("never throws, and never yields a number outside 1 to 999,999,999 or more than 1,000", () => {
    const pieces = fc.array(fc.constantFrom("1", "9", "0", "-", ",", " ", ".", "a", "all"), {
      maxLength: 40,
    });
    fc.assert(
      fc.property(
        fc.oneof(
          pieces.map((parts) => parts.join("")),
          fc.string(),
        ),
        (text) => {
          const range = parseRange(text);
          const numbers = "numbers" in range ? range.numbers : [];
          expect(numbers.length).toBeLessThanOrEqual(1000);
          expect(
            numbers.every((number) => Number.isInteger(number) && number >= 1 && number <= 999_999_999),
          ).toBe(true);
          expect("numbers" in range && numbers.length === 0).toBe(false);
        },
      ),
    );
  });
});
