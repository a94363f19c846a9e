import { expect, it } from "vitest";
import { joinSentences } from "../../src/base/join-sentences.ts";

it.each([
  ["It fails", "Fix it.", "It fails. Fix it."],
  ["It fails.", "Fix it.", "It fails. Fix it."],
  ["Does it fail?", "Look.", "Does it fail? Look."],
  ["It fails", "", "It fails"],
  ["", "Fix it.", "Fix it."],
])("joins %j and %j", (first, second, joined) => {
  expect(joinSentences(first, second)).toBe(joined);
});
