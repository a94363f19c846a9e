import { expect, it } from "vitest";
import { totalTokens, usageSchema } from "../../src/contract/usage.ts";

const usage = { inputTokens: 100, outputTokens: 7, microUsd: 0, source: "reported" } as const;

it("counts fresh, cached and written tokens against a budget", () => {
  expect(totalTokens({ ...usage, cachedTokens: 30 })).toBe(137);
});

it("reads a report without cached tokens as one with none", () => {
  expect(usageSchema.parse(usage)).toStrictEqual({ ...usage, cachedTokens: 0 });
});
