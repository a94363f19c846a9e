import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { quoteExcerpt, visibleText } from "../../src/base/visible-text.ts";

describe("visibleText", () => {
  it.each([
    ["\u001B[31mred", "\\u{1b}[31mred"],
    ["bell\u0007", "bell\\u{7}"],
    ["c1\u009B31m", "c1\\u{9b}31m"],
    ["\r overwrite", "\\u{d} overwrite"],
    ["a\u202Eb", "a\\u{202e}b"],
    ["half \uD83D", "half \\u{d83d}"],
    ["lines\nand\ttabs stay", "lines\nand\ttabs stay"],
    ["naïve ✔ 🙂", "naïve ✔ 🙂"],
  ])("shows %j as %j", (text, shown) => {
    expect(visibleText(text)).toBe(shown);
  });

  it("lets no control character through, whatever the text", () => {
    fc.assert(
      fc.property(fc.string({ unit: "binary" }), (text) => {
        const codes = Array.from(visibleText(text), (character) => character.codePointAt(0) ?? 0);
        const controls = codes.filter((code) => code < 0x20 || (code >= 0x7f && code < 0xa0));
        expect(controls.filter((code) => code !== 9 && code !== 10)).toStrictEqual([]);
      }),
    );
  });
});

describe("excerpt", () => {
  it("stays on one line and is cut", () => {
    expect(quoteExcerpt("one\ntwo\tthree", 80)).toBe("one\\ntwo three");
    expect(quoteExcerpt("x".repeat(200), 10)).toBe(`${"x".repeat(10)}…`);
    expect(quoteExcerpt("x".repeat(10), 10)).toBe("x".repeat(10));
  });
});
