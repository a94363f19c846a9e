import { expect, it } from "vitest";
import { adviseBatch } from "../../src/orchestrator/split/batch.ts";

it("names parts of a batch that may change the same files, unless one waits for the other (R195)", () => {
  const one = { description: "Write sum", file_scope: ["src/**"] };
  const other = { description: "Write slug", file_scope: ["src/slug.ts"] };
  expect(adviseBatch([one, other])).toEqual([
    'advice: "Write sum" and "Write slug" may both change src/slug.ts; one could wait for the other',
  ]);
  const far = { description: "Docs", file_scope: ["docs"] };
  expect(adviseBatch([one, { ...other, depends_on: ["#1"] }, far])).toEqual([]);
});

it("says that sequential parts gain nothing, and ignores a single part (R195)", () => {
  const parts = [{ description: "A" }, { description: "B", depends_on: ["#1"] }];
  expect(adviseBatch(parts)).toEqual([
    "advice: each of these parts waits for the one before it; one worker would do",
  ]);
  expect(adviseBatch(parts.slice(0, 1))).toEqual([]);
  expect(adviseBatch([{ description: "A" }, { description: "B", depends_on: ["#9", "US-1"] }])).toEqual([]);
});
