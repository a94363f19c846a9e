import { describe, expect, it } from "vitest";
import { compileGlobs } from "../../src/base/glob.ts";

/** The tests of a delegation's scope try the patterns themselves. These tests try what only other callers rely on. */
describe("compileGlobs", () => {
  it("matches nothing without a pattern, and nothing with exceptions only", () => {
    expect(compileGlobs([])("a")).toBe(false);
    expect(compileGlobs(["!b"])("a")).toBe(false);
  });

  it("matches everything with the pattern for the whole tree", () => {
    expect(compileGlobs(["."])("a/b")).toBe(true);
    expect(compileGlobs(["**"])("a/b")).toBe(true);
  });

  it("treats a folder as everything below it", () => {
    expect(["src/a.ts", "src/b/c.ts", "srcx/a.ts"].filter(compileGlobs(["src/"]))).toStrictEqual([
      "src/a.ts",
      "src/b/c.ts",
    ]);
  });
});
