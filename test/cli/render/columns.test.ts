import { expect, it } from "vitest";
import { renderColumns } from "../../../src/cli/render/columns.ts";
import { wrapWords } from "../../../src/cli/render/wrap-words.ts";

it("aligns columns without trailing blanks", () => {
  expect(
    renderColumns([
      ["a", "b", ""],
      ["long", "", "c"],
    ]),
  ).toBe("a     b\nlong     c");
  expect(renderColumns([])).toBe("");
});

it("wraps words at 80 columns and never loses one", () => {
  const words = Array.from({ length: 40 }, (_, index) => `word${index}`);
  const lines = wrapWords([...words, "x".repeat(100)], { first: "1  ", indent: "   " });
  expect(lines.join(" ").split(/\s+/)).toStrictEqual(["1", ...words, "x".repeat(100)]);
  expect(lines.filter((line) => line.length > 80)).toStrictEqual([`   ${"x".repeat(100)}`]);
  expect(wrapWords([], { first: "1  ", indent: "   " })).toStrictEqual(["1"]);
});
