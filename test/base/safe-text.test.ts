import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { safeText } from "../../src/base/safe-text.ts";

describe("safeText", () => {
  it.each([
    ["plain text", "Add authentication", "Add authentication"],
    ["letters of every alphabet", "Überprüfung 認証 проверка 🔐", "Überprüfung 認証 проверка 🔐"],
    ["colours", "\u001b[31mred\u001b[0m", "red"],
    ["cursor moves and erasing", "a\u001b[2J\u001b[1;1Hb", "ab"],
    ["a title or link sequence ended by a bell", "\u001b]0;owned\u0007x", "x"],
    ["a link sequence ended by its terminator", "\u001b]8;;http://e\u001b\\click", "click"],
    ["a device control string", "\u001bPq#0\u001b\\x", "x"],
    ["one-character introducers", "\u009b31mred\u009d0;t\u009cx", "redx"],
    ["a reset and a charset switch", "\u001bcx\u001b(By", "xy"],
    ["control characters", "a\u0000b\u0008c\u007fd\u0085e", "abcd e"],
    ["direction marks", "\u202egnp.exe\u202c \u2066x\u2069\u200f\u061c", "gnp.exe x"],
    ["zero-width characters", "pass\u200bword\u200d\ufeff\u2060\u00ad", "password"],
    ["invisible tags", "a\u{e0041}b", "ab"],
    ["line ends and tabs", "one\r\ntwo\tthree\u2028four", "one two three four"],
    ["line ends at the beginning", "\n\nx", "x"],
    ["half of a surrogate pair", "a\ud800b", "a\ufffdb"],
    ["an escape at the end", "a\u001b", "a"],
    ["a sequence that breaks off", "a\u001b[31", "a"],
  ])("removes everything harmful from %s", (_name, text, expected) => {
    expect(safeText(text)).toBe(expected);
  });

  it("keeps the text after an unterminated string sequence", () => {
    expect(safeText("a\u001b]0;title without an end")).toBe("a0;title without an end");
  });

  it("passes no control, direction or zero-width character, for any input", () => {
    const hostile = fc.string({
      unit: fc.constantFrom(
        ...Array.from("ab[];0m\\\u001b\u009b\u009d\u0090\u0007\n\r\t\u0000\u202e\u2066\u200b\u2028\ud800"),
        "\u{e0001}",
        "🔐",
      ),
    });
    fc.assert(
      fc.property(fc.oneof(hostile, fc.string({ unit: "binary" })), (text) => {
        const safe = safeText(text);
        expect(safe).not.toMatch(/[\p{Cc}\p{Cs}\u2028\u2029\u202a-\u202e\u2066-\u2069\u200b-\u200f]/u);
        expect(safeText(safe)).toBe(safe);
      }),
    );
  });

  it("leaves printable text unchanged", () => {
    fc.assert(
      fc.property(fc.string({ unit: "grapheme-ascii" }), (text) => {
        expect(safeText(text)).toBe(text);
      }),
    );
  });

  it("takes one pass, even over a million unterminated sequences", () => {
    expect(safeText("\u001b]".repeat(500_000))).toBe("");
    expect(safeText("\u001b[".repeat(500_000))).toBe("");
    expect(safeText("\n".repeat(1_000_000))).toBe("");
  });
});
