import { expect, it } from "vitest";
import { TextMemo } from "../../src/base/text-memo.ts";

it("a memo returns the value computed from a text until the text under its key changes", () => {
  const memo = new TextMemo<number>();
  expect(memo.find("a", "one")).toBeUndefined();
  expect(memo.keep("a", "one", 1)).toBe(1);
  expect(memo.find("a", "one")).toBe(1);
  expect(memo.find("b", "one")).toBeUndefined();
  expect(memo.find("a", "two")).toBeUndefined();
  memo.keep("a", "two", 2);
  expect(memo.find("a", "one")).toBeUndefined();
});

it("a memo forgets the oldest key when a thousand others are newer", () => {
  const memo = new TextMemo<number>();
  for (let key = 0; key < 1001; key += 1) memo.keep(String(key), "text", key);
  expect(memo.find("0", "text")).toBeUndefined();
  expect(memo.find("1000", "text")).toBe(1000);
});
