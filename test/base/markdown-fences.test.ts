import { describe, expect, it } from "vitest";
import { closesFence, FencedBlocks, readFence } from "../../src/base/markdown-fences.ts";

function read(line: string) {
  return readFence(line, { start: 0, end: line.length });
}

function findBlocks(text: string, options?: { readonly maxIndent: number }) {
  const lines = text.split("\n");
  const fences = new FencedBlocks(lines, options);
  return lines.flatMap((_, index) => {
    const end = fences.findEnd(index);
    return end === undefined ? [] : [[index, end]];
  });
}

describe("one fence", () => {
  it("has three or more backticks or tildes", () => {
    expect(read("```")).toEqual({ mark: 96, length: 3 });
    expect(read("~~~~ts")).toEqual({ mark: 126, length: 4 });
    for (const line of ["", "``", "~~", "text", "```inline``` code"]) expect(read(line)).toBeUndefined();
    expect(read("~~~ with ` in it")).toEqual({ mark: 126, length: 3 });
  });

  it("is closed by at least as many marks, with only blanks after them", () => {
    const closes = (line: string): boolean =>
      closesFence(line, { start: 0, end: line.length }, { mark: 96, length: 4 });
    expect(["````", "``````", "```` \t"].map(closes)).toEqual([true, true, true]);
    expect(["```", "~~~~", "````ts", "````\u00a0"].map(closes)).toEqual([false, false, false, false]);
  });
});

describe("fenced blocks of a document", () => {
  it("run from the opening to the closing line", () => {
    expect(findBlocks("a\n```ts\n~~~\n```\nb\n~~~\n~~~\n")).toEqual([
      [1, 3],
      [2, 5],
      [5, 6],
    ]);
  });

  it("do not exist if a fence is never closed, even with many open fences", () => {
    expect(findBlocks("````\ntext\n```\n```")).toEqual([[2, 3]]);
    const open = Array.from({ length: 50_000 }, (_, index) => (index % 2 === 0 ? "```a" : "~~~~a")).join(
      "\n",
    );
    expect(findBlocks(open)).toEqual([]);
  });

  it("are indented by three columns at most, unless any indent is allowed", () => {
    expect(findBlocks("   ```\n   ```")).toEqual([[0, 1]]);
    expect(findBlocks("    ```\n    ```")).toEqual([]);
    expect(findBlocks("\t```\n\t```")).toEqual([]);
    expect(findBlocks("\t```\n      ```", { maxIndent: Infinity })).toEqual([[0, 1]]);
  });
});
