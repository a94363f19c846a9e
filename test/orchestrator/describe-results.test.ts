import * as fc from "fast-check";
import { describe, expect, it } from "vitest";
import {
  buildShortResult,
  estimateTokens,
  fitResultsIntoContext,
} from "../../src/orchestrator/running/prepare/describe-results.ts";
import { makeDelegation } from "../reports/make-delegation.ts";

const worker = (number: number, files: number) =>
  makeDelegation(`S-DEL-00${number}`, {
    state: "closed",
    outcome: "completed",
    summary: `Part ${number} is done.`,
    filesChanged: Array.from({ length: files }, (_, index) => `folder/with/a/long/name/file-${index}.ts`),
  });
/** In thousands of tokens; a text that was cut is a few tokens short of the full number. */
const levels = (texts: readonly string[]): readonly number[] =>
  texts.map((text) => Math.round(estimateTokens(text) / 1000));

describe("the record of a worker", () => {
  const ended = makeDelegation("S-DEL-001", {
    state: "closed",
    outcome: "completed",
    summary: "It is done.",
    filesChanged: ["a.ts"],
    microUsd: 250_000,
    durationMs: 1500,
  });

  it("says whether its work is accepted, what it cost and what to do next (R47)", () => {
    const record = {
      delegation_id: "S-DEL-001",
      success: true,
      summary: "It is done.",
      files_changed: ["a.ts"],
      cost: 0.25,
      duration_ms: 1500,
      error: null,
    };
    expect(buildShortResult(ended)).toStrictEqual(record);
    const proven = { ...ended, proof: "proven" as const, nextSteps: "Read it." };
    expect(buildShortResult(proven)).toStrictEqual({
      ...record,
      proof: "proven",
      next_steps: "Read it.",
    });
    const own = { ...ended, money: { ...ended.money, spent: 400_000 } };
    expect(buildShortResult(own)).toMatchObject({ cost: 0.4 });
  });

  it.each(["partial", "blocked", "failed", "timed_out", "cancelled", null] as const)(
    "of work that is not accepted names the error: %s (R47)",
    (outcome) => {
      const error = {
        type: "execution",
        code: "BROKEN",
        message: "m",
        recoverable: true,
        recommendation: "r",
      };
      const failed = { ...ended, outcome, errors: [error] };
      expect(buildShortResult(failed)).toMatchObject({ success: false, error: "BROKEN", errors: [error] });
      expect(buildShortResult({ ...failed, code: "TIMEOUT" })).toMatchObject({ error: "TIMEOUT" });
      const [text = ""] = fitResultsIntoContext([failed], 10_000);
      expect(text.split("\n")[0]).toBe(
        `S-DEL-001 (Work of S-DEL-001) ended ${outcome ?? "open"}. Not merged; what it did is on delegation/S-DEL-001.`,
      );
    },
  );

  it("of accepted work says where it is", () => {
    const [text = ""] = fitResultsIntoContext([ended], 10_000);
    expect(text).toMatch(/^S-DEL-001 \(Work of S-DEL-001\) ended completed\. Its work is in your folder\.\n/);
  });
});

describe("results that do not fit (R90)", () => {
  const workers = [1, 2, 3, 4, 5].map((number) => worker(number, 300));

  it("are cut to 2,000 tokens each, then to 1,000, then to one line for all but the last three", () => {
    expect(levels(fitResultsIntoContext(workers, 100_000))).toEqual([2, 2, 2, 2, 2]);
    expect(levels(fitResultsIntoContext(workers, 9900))).toEqual([1, 1, 1, 1, 1]);
    const least = fitResultsIntoContext(workers, 4900);
    expect(levels(least)).toEqual([0, 0, 1, 1, 1]);
    expect(least.slice(0, 2)).toEqual([
      'S-DEL-001 ended completed.\n<data from="S-DEL-001">\nPart 1 is done.\n</data>',
      'S-DEL-002 ended completed.\n<data from="S-DEL-002">\nPart 2 is done.\n</data>',
    ]);
  });

  it("are cut in answers to calls, too, which say how many files they leave out (R86)", () => {
    const short = buildShortResult(worker(1, 300));
    expect(estimateTokens(JSON.stringify(short))).toBeLessThanOrEqual(2000);
    expect(estimateTokens(JSON.stringify(short))).toBeGreaterThan(1900);
    expect(short.files_changed.length + (short.files_left_out ?? 0)).toBe(300);
    const whole = buildShortResult(worker(1, 3));
    expect([whole.files_changed.length, whole.files_left_out]).toEqual([3, undefined]);
  });

  it("are all described: every worker is named, and none gets more than 2,000 tokens", () => {
    const sizes = fc.array(fc.nat(400), { maxLength: 10 });
    fc.assert(
      fc.property(sizes, fc.nat(20_000), (files, room) => {
        const all = files.map((count, index) => worker(index + 1, count));
        const texts = fitResultsIntoContext(all, room);
        expect(texts).toHaveLength(all.length);
        for (const [index, text] of texts.entries()) {
          expect(text).toContain(all[index]?.id);
          expect(estimateTokens(text)).toBeLessThanOrEqual(2000);
        }
      }),
    );
  });
});
