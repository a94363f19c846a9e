import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { formatList, parseList } from "../../src/base/list-text.ts";

describe("a list on one line", () => {
  it("is read back as it was, whatever its items are", () => {
    const item = fc.oneof(fc.string(), fc.constantFrom("a", "a,b", "[", '["a', "]", " a", "", "[ab]"));
    fc.assert(
      fc.property(fc.array(item), (items) => {
        expect(parseList(formatList(items))).toStrictEqual(items);
      }),
    );
  });

  it.each([
    [["a", "b"], "a,b"],
    [[5432, "redis:6379"], "5432,redis:6379"],
    [["[ab].env"], "[ab].env"],
    [["[ab]"], '["[ab]"]'],
    [["a,b"], '["a,b"]'],
  ])("%j is written as %s", (items, text) => {
    expect(formatList(items)).toBe(text);
  });

  it("is not guessed from brackets that contain no JSON", () => {
    expect(parseList("[a, b]")).toBeUndefined();
    expect(parseList("[a]")).toBeUndefined();
    expect(parseList('["a", "b"')).toBeUndefined();
  });
});
