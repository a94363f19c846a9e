import fc from "fast-check";
import { expect, it } from "vitest";
import { computeRetryDelayMs } from "../../src/scheduler/retry-delay.ts";

const question = { baseMs: 1000, multiplier: 2, maxMs: 60_000 } as const;

it("the retry delay grows by the multiplier from attempt to attempt, up to the maximum (R113, R180)", () => {
  const delays = [1, 2, 3, 6, 7, 100, 5000].map((attempt) =>
    computeRetryDelayMs({ ...question, attempt, random: () => 1 }),
  );
  expect(delays).toStrictEqual([1000, 2000, 4000, 32_000, 60_000, 60_000, 60_000]);
});

it("the retry delay is shortened at random, by at most half", () => {
  expect(computeRetryDelayMs({ ...question, attempt: 2, random: () => 0 })).toBe(1000);
  expect(computeRetryDelayMs({ ...question, attempt: 2, random: () => 0.5 })).toBe(1500);
});

it("the retry delay is a whole number between 0 and the maximum, for any input", () => {
  const numbers = fc.double({ min: -10, max: 1e308, noNaN: true });
  fc.assert(
    fc.property(
      fc.integer({ min: -5, max: 1_000_000 }),
      numbers,
      numbers,
      fc.nat(1e9),
      fc.double({ min: 0, max: 1, noNaN: true, maxExcluded: true }),
      (attempt, baseMs, multiplier, maxMs, share) => {
        const delay = computeRetryDelayMs({ attempt, baseMs, multiplier, maxMs, random: () => share });
        expect(Number.isSafeInteger(delay)).toBe(true);
        expect(delay).toBeGreaterThanOrEqual(0);
        expect(delay).toBeLessThanOrEqual(maxMs);
      },
    ),
  );
});
