import { expect, expectTypeOf, it } from "vitest";
import { dropUndefined, isRecord, parseJson } from "../../src/base/json.ts";

it("distinguishes an object from lists, null and plain values", () => {
  expect(isRecord({})).toBe(true);
  for (const value of [null, undefined, [], "text", 1, true]) expect(isRecord(value)).toBe(false);
});

it("parses JSON and returns undefined for any other text", () => {
  expect(parseJson('{"a":[1,null]}')).toEqual({ a: [1, null] });
  expect(parseJson("null")).toBeNull();
  for (const text of ["", "{", "undefined", "{a:1}"]) expect(parseJson(text)).toBeUndefined();
});

it("drops undefined fields, keeps null, and makes such fields optional", () => {
  const kept = dropUndefined({ agent: readAgent(), note: null, count: 0, empty: "" });
  expect(kept).toEqual({ note: null, count: 0, empty: "" });
  expect(Object.keys(kept)).not.toContain("agent");
  expectTypeOf(kept.agent).toEqualTypeOf<string | undefined>();
  const exact: { readonly count: number; readonly agent?: string } = kept;
  expect(exact.agent).toBeUndefined();
});

function readAgent(): string | undefined {
  return undefined;
}
