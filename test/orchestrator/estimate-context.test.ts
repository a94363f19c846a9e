import { mkdtempSync, mkdirSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { estimateContext } from "../../src/orchestrator/opening/estimate-context.ts";

let root: string;
beforeEach(() => {
  root = mkdtempSync(join(tmpdir(), "ambit-estimate-"));
  mkdirSync(join(root, "src"));
  writeFileSync(join(root, "src/a.ts"), "x".repeat(3000));
  writeFileSync(join(root, "lock.json"), "x".repeat(3_000_000));
  symlinkSync(join(root, "lock.json"), join(root, "link.json"));
});
afterEach(() => rmSync(root, { recursive: true }));

const estimate = (description: string, asked?: number): number =>
  estimateContext(root, {
    request: { description, ...(asked === undefined ? {} : { context_tokens: asked }) },
    work: { context: "", criteria: [] },
  });

describe("the estimate of a worker's context (R11)", () => {
  it("counts its text by bytes, in addition to Ambit's own prompt", () => {
    expect(estimate("")).toBe(1100);
    expect(estimate("word ".repeat(300))).toBe(1600);
    expect(estimate("\u4e2d".repeat(300))).toBe(1400);
  });

  it("adds files of the project that are named, each at most with 10,000 tokens and once", () => {
    expect(estimate("Change `src/a.ts`.")).toBe(1100 + 6 + 1000);
    expect(estimate("src/a.ts src/a.ts") - estimate("src/b.ts src/b.ts")).toBe(1000);
    expect(estimate("lock.json") - estimate("none.json")).toBe(10_000);
  });

  it("follows no link and never leaves the project", () => {
    expect(estimate("link.json")).toBe(estimate("none.json"));
    expect(estimate("/etc/passwd")).toBe(estimate("/etc/absent"));
    expect(estimate(`src/../../${root.split("/").at(-1)}/lock.json`)).toBeLessThan(1200);
  });

  it("uses a higher number from the request itself", () => {
    expect(estimate("word", 50_000)).toBe(50_000);
    expect(estimate("word", 5)).toBe(1102);
  });
});
