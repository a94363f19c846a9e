import fc from "fast-check";
import { expect, it } from "vitest";
import { escapeJson, formatSafeJson } from "../../src/base/safe-json.ts";

it("the JSON keeps the meaning of the value and contains no character that a terminal would obey or hide", () => {
  fc.assert(
    fc.property(fc.jsonValue(), fc.string({ unit: "binary" }), (value, text) => {
      const json = formatSafeJson({ value, text });
      expect(JSON.parse(json)).toStrictEqual(JSON.parse(JSON.stringify({ value, text })));
      expect(json).not.toMatch(/[\p{Cc}\u00ad\u061c\u200b-\u200f\u2028-\u202e\u2060-\u206f\ufeff]/u);
      expect(escapeJson(json)).toBe(json);
    }),
  );
});

it("the JSON has escaped eight-bit controls and direction marks, and unchanged letters", () => {
  expect(formatSafeJson("\u009b31m\u202eä日👩\n")).toBe('"\\u009b31m\\u202eä日👩\\n"');
  expect(formatSafeJson({ a: 1 }, 2)).toBe('{\n  "a": 1\n}');
  expect(formatSafeJson(undefined)).toBe("null");
});
