import { describe, expect, it } from "vitest";
import { compileGlobs } from "../../src/base/glob.ts";

/** The patterns themselves are tried through the scope of a delegation; here is what only other callers rely on. */
describe("compileGlobs", () => {
  it("matches nothing without a pattern, and nothing with exceptions alone", () => {
    expect(compileGlobs([])("a")).toBe(false);
    expect(compileGlobs(["!b"])("a")).toBe(false);
  });

  it("matches everything with the pattern of the whole tree", () => {
    expect(compileGlobs(["."])("a/b")).toBe(true);
    expect(compileGlobs(["**"])("a/b")).toBe(true);
  });

  it("takes a folder for all that is below it", () => {
    expect(["src/a.ts", "src/b/c.ts", "srcx/a.ts"].filter(compileGlobs(["src/"]))).toStrictEqual([
      "src/a.ts",
      "src/b/c.ts",
    ]);
  });
});
