import { describe, expect, it } from "vitest";
import { compareWithBase, type BaseRules } from "../../src/verification/compare-base.ts";
import type { CheckResult } from "../../src/verification/run-checks.ts";
import { criterion } from "./check-for-test.ts";

const rules: BaseRules = { allowRedBase: false, proveRed: false };
const one = criterion({ command: "npm test" });

function result(verdict: "passed" | "failed", failing: readonly string[] = []): CheckResult {
  const ended = { exit_code: 1, signal: null, duration_ms: 1, output: "", log: null };
  const proof = { kind: "command" as const, command: "npm test", ...ended, failing: [...failing] };
  const code = verdict === "passed" ? null : "CHECK_FAILED";
  return { criterion: one, verdict, code, evidence: "`npm test` ended.\nLog: x", proof };
}

const compare = (before: CheckResult | undefined, now: CheckResult, more: Partial<BaseRules> = {}) =>
  compareWithBase([now], {
    baseline: before === undefined ? [] : [before],
    hasChanges: true,
    rules: { ...rules, ...more },
  })[0];

describe("a check compared with the tree that the work started from", () => {
  it.each([
    ["failed", "passed", "proves"],
    ["passed", "passed", "no-regression"],
    ["passed", "failed", "broken"],
    ["failed", "failed", "red-before"],
  ] as const)("that %s before and %s now means %s, and keeps its verdict", (before, now, meaning) => {
    expect(compare(result(before), result(now))).toMatchObject({ meaning, verdict: now });
  });

  it("proves nothing if nothing was changed", () => {
    const facts = { baseline: [result("passed")], hasChanges: false, rules };
    // Red and then green on the same tree is chance.
    expect(compareWithBase([result("passed")], { ...facts, baseline: [result("failed")] })).toMatchObject([
      { meaning: "proves-nothing" },
    ]);
    const [compared] = compareWithBase([result("passed")], facts);
    expect(compared).toMatchObject({ meaning: "proves-nothing" });
    expect(compared?.evidence).toContain("this proves nothing");
  });

  it("names only the tests that are new among those that fail", () => {
    const compared = compare(result("failed", ["a"]), result("failed", ["a", "b"]));
    expect(compared).toMatchObject({ newlyFailing: ["b"] });
    expect(compared?.evidence.split("\n")[1]).toBe("It failed before the work, too. New failures: b.");
  });

  it("stays as it is if nothing is known of the base", () => {
    expect(compare(undefined, result("passed"))).toStrictEqual(result("passed"));
  });

  it.each([
    [["a", "b"], ["a"], "passed"],
    [["a"], ["a", "b"], "failed"],
    [[], [], "failed"],
  ] as const)(
    "with a red base allowed, failing tests %j before and %j now, is %s",
    (before, now, verdict) => {
      const compared = compare(result("failed", before), result("failed", now), { allowRedBase: true });
      expect(compared).toMatchObject({ verdict });
    },
  );

  it("says that a red base cannot be allowed if the output names no failing tests", () => {
    const compared = compare(result("failed"), result("failed"), { allowRedBase: true });
    expect(compared?.evidence).toContain("names no failing tests that could be compared");
    const named = compare(result("failed", ["a"]), result("failed", ["a", "b"]), { allowRedBase: true });
    expect(named?.evidence).not.toContain("compared");
  });

  it("never accepts what the work broke, even with a red base allowed", () => {
    const compared = compare(result("passed"), result("failed", ["a"]), { allowRedBase: true });
    expect(compared).toMatchObject({ verdict: "failed", meaning: "broken" });
  });

  it.each([
    [result("failed"), "passed"],
    [result("passed"), "failed"],
    [undefined, "unverified"],
  ] as const)("is judged by its result before if it had to be red: case %#", (before, verdict) => {
    expect(compare(before, result("passed"), { proveRed: true })).toMatchObject({ verdict });
  });
});
