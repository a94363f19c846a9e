import { describe, expect, it } from "vitest";
import type { Tokens } from "../../src/contract/usage.ts";
import { loadPrices } from "../../src/ledger/prices.ts";

const tokens = (inputTokens: number, cachedTokens = 0, outputTokens = 0): Tokens => ({
  inputTokens,
  cachedTokens,
  outputTokens,
});

describe("prices", () => {
  it("are per model and kind of token, in micro-dollars", async () => {
    const priceOf = await loadPrices();
    const sonnet = { model: "claude-sonnet-4-5", isOneRequest: true };
    // What the agent itself reported for this very use.
    expect(priceOf({ ...sonnet, tokens: tokens(3000, 600, 150) })).toBeCloseTo(11_430, 6);
    expect(priceOf({ ...sonnet, tokens: tokens(1_000_000), isOneRequest: false })).toBeCloseTo(3_000_000, 6);
    expect(priceOf({ ...sonnet, tokens: tokens(0) })).toBe(0);
  });

  it("are higher for one long request, but not for many short ones with the same total", async () => {
    const priceOf = await loadPrices();
    const long = { model: "claude-sonnet-4-5", tokens: tokens(300_000) };
    expect(priceOf({ ...long, isOneRequest: true })).toBeCloseTo(1_800_000, 6);
    expect(priceOf({ ...long, isOneRequest: false })).toBeCloseTo(900_000, 6);
  });

  it("are found with a provider in front of the name", async () => {
    const priceOf = await loadPrices();
    const use = { tokens: tokens(1000), isOneRequest: true };
    const plain = priceOf({ ...use, model: "claude-sonnet-4-5" });
    expect(plain).toBeGreaterThan(0);
    for (const model of ["anthropic/claude-sonnet-4-5", "my-gateway/claude-sonnet-4-5", "Claude-Sonnet-4-5"])
      expect(priceOf({ ...use, model })).toBe(plain);
    // Its name alone says nothing about whose it is.
    expect(priceOf({ ...use, model: "groq/llama-3.3-70b-versatile" })).toBeCloseTo(590, 6);
    expect(priceOf({ ...use, model: "llama-3.3-70b-versatile" })).toBeUndefined();
  });

  it("are unknown for an unknown model", async () => {
    const priceOf = await loadPrices();
    const names = [
      undefined,
      "",
      "/",
      "mock-1",
      "mock/mock-1",
      "claude-of-next-century",
      "x".repeat(100_000),
    ];
    for (const model of names)
      expect(priceOf({ model, tokens: tokens(1000), isOneRequest: true })).toBeUndefined();
  });

  it("are found quickly, also for many unknown names", async () => {
    const priceOf = await loadPrices();
    const started = performance.now();
    for (let index = 0; index < 5000; index += 1)
      priceOf({ model: `made-up-${index}`, tokens: tokens(1000), isOneRequest: true });
    for (let index = 0; index < 50_000; index += 1)
      priceOf({ model: "gemini-2.5-pro", tokens: tokens(index), isOneRequest: true });
    expect(performance.now() - started).toBeLessThan(3000);
  });
});
