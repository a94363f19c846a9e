import { describe, expect, it } from "vitest";
import { lowerDepth, raiseDepth } from "../../src/orchestrator/split/adapt-depth.ts";

const results = (...counts: readonly (readonly [number, number])[]) =>
  counts.map(([completed, ended], index) => ({ depth: index + 1, ended, completed }));

describe("the depth that earlier stories suggest (R183)", () => {
  it.each([
    ["workers of depth 2 completed clearly less often", results([9, 10], [2, 6]), 2, 1],
    ["only workers of depth 3 did", results([9, 10], [8, 10], [1, 5]), 3, 2],
    ["the difference is exactly the least one", results([10, 10], [8, 10]), 2, 1],
    ["the difference is smaller", results([10, 10], [9, 10]), 2, undefined],
    ["too few ended to tell", results([9, 10], [0, 4]), 2, undefined],
    ["all of depth 1 failed, which is no reason for none at all", results([0, 10]), 2, undefined],
    ["the level is not allowed anyway", results([9, 10], [2, 6]), 1, undefined],
    ["nothing is known", [], 3, undefined],
  ])("is lower or unchanged: %s", (_name, byDepth, maxDepth, expected) => {
    expect(lowerDepth(byDepth, maxDepth)?.depth).toBe(expected);
  });

  it.each([
    ["the deepest workers completed and asked for more", results([5, 5], [5, 6]), 2, 3, 3],
    ["they asked too seldom", results([5, 5], [5, 6]), 2, 2, undefined],
    ["they completed too seldom", results([5, 5], [4, 6]), 2, 9, undefined],
    ["too few ended to tell", results([5, 5], [4, 4]), 2, 9, undefined],
    ["the hard cap is reached", results([5, 5], [5, 5], [5, 5]), 3, 9, undefined],
  ])("is one level higher or unchanged: %s", (_name, byDepth, maxDepth, refusals, expected) => {
    expect(raiseDepth({ byDepth, maxDepth, refusals })?.depth).toBe(expected);
  });

  it("comes with a reason that a person can check", () => {
    expect(lowerDepth(results([9, 10], [2, 6]), 2)?.reason).toBe(
      "at depth 2 only 2 of 6 workers completed, at depth 1 9 of 10 workers",
    );
    expect(raiseDepth({ byDepth: results([5, 5], [5, 6]), maxDepth: 2, refusals: 4 })?.reason).toBe(
      "at depth 2 5 of 6 workers completed, and 4 deeper requests were refused",
    );
  });
});
