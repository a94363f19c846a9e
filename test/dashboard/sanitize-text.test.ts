import fc from "fast-check";
import { expect, it } from "vitest";
import { sanitizeDocument, sanitizeText } from "../../src/dashboard/server/sanitize-text.ts";

it.each([
  ["plain text stays", "Füge Größe hinzu → naïve 日本語 👩‍💻", "Füge Größe hinzu → naïve 日本語 👩‍💻"],
  ["line ends and tabs stay", "a\n\tb\r\nc", "a\n\tb\nc"],
  ["colours are gone", "\u001b[31mred\u001b[0m", "red"],
  ["a title of a terminal is gone", "\u001b]0;owned\u0007text", "text"],
  ["a link of a terminal is gone", "\u001b]8;;https://evil.example\u001b\\here", "here"],
  ["controls are spelled out", "a\u0000b\u0008c", String.raw`a\u{0}b\u{8}c`],
  ["direction marks are spelled out", "a\u202egpj.exe", String.raw`a\u{202e}gpj.exe`],
  ["hidden blanks are spelled out", "pay\u200bload", String.raw`pay\u{200b}load`],
  ["half characters are replaced", "a\ud800b", "a\ufffdb"],
  ["markup stays text", "<img src=x onerror=alert(1)>", "<img src=x onerror=alert(1)>"],
])("%s", (_name, given, shown) => {
  expect(sanitizeText(given)).toBe(shown);
});

it("a line of 1 MB is cut, and says how much was cut", () => {
  const shown = sanitizeText(`start\n${"x".repeat(1_000_000)}`);
  expect(shown.length).toBeLessThan(3000);
  expect(shown).toMatch(/^start\nx{2000}… \[[\d,]+ more characters\]$/);
});

it("a long text is cut at its end, never inside a character", () => {
  expect(sanitizeText("👩".repeat(2000), { line: 101, text: 1000 })).toMatch(
    /^(?:👩){50}… \[[\d,]+ more characters\]$/u,
  );
});

/** Characters that a browser or a terminal would obey or not show. */
const HARMFUL =
  // oxlint-disable-next-line no-control-regex
  /[\u0000-\u0008\u000b-\u001f\u007f-\u009f\u200b\u200e\u200f\u2028-\u202e\u2060-\u206f\ufeff]/u;

it("no harmful character leaves a document, and its numbers and constants do not change", () => {
  const texts = fc.string({ unit: "binary", maxLength: 200 });
  fc.assert(
    fc.property(
      fc.array(fc.record({ id: texts, raw: texts, patch: texts, count: fc.integer() })),
      (given) => {
        const shown = sanitizeDocument({ given, none: null, yes: true });
        const text = JSON.stringify(shown);
        const values: unknown = JSON.parse(text);
        expect(text).not.toMatch(HARMFUL);
        expect(values).toMatchObject({ none: null, yes: true, given: given.map(({ count }) => ({ count })) });
      },
    ),
  );
});

it("plain text passes unchanged in any script", () => {
  const plain = fc.string({
    unit: fc.constantFrom(
      "a",
      "b",
      " ",
      "<",
      ">",
      "&",
      '"',
      "'",
      "`",
      "$",
      "é",
      "ß",
      "€",
      "–",
      "…",
      "→",
      "✔",
      "日",
    ),
    maxLength: 300,
  });
  fc.assert(
    fc.property(plain, (text) => {
      expect(sanitizeText(text)).toBe(text);
    }),
  );
});
