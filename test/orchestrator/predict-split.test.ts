import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { defaultLimits } from "../../src/contract/limits.ts";
import {
  predictSplit,
  readHistory,
  type PlannedPart,
  type SplitFacts,
} from "../../src/orchestrator/predict-split.ts";

const nothing = await readHistory(undefined);

function part(name: string, fields: Partial<PlannedPart> = {}): PlannedPart {
  return { name, hours: 4, after: [], scope: [], ...fields };
}

function facts(parts: readonly PlannedPart[], fields: Partial<SplitFacts> = {}): SplitFacts {
  return {
    origin: "template",
    parts,
    storyScope: [],
    limits: defaultLimits,
    budgetMicroUsd: null,
    history: nothing,
    listMicroUsd: null,
    ...fields,
  };
}

describe("advice on dividing (R195)", () => {
  it("recommends independent parts of a useful size", () => {
    const prediction = predictSplit(
      facts([
        part("a", { scope: ["src/a/**"] }),
        part("b", { scope: ["src/b/**"] }),
        part("c", { scope: ["doc"] }),
      ]),
    );
    expect(prediction).toMatchObject({
      verdict: "split",
      workers: { least: 3, most: 3 },
      atOnce: 3,
      chain: 1,
      isSequential: false,
      hours: { work: 12, elapsed: 4 },
      overlaps: [],
      depth: { advised: 1 },
    });
  });

  it.each([
    ["a single part", facts([part("a")]), "single part"],
    ["parts in a row", facts([part("a"), part("b", { after: [0] })]), "waits for the one before"],
    ["less than three hours", facts([part("a", { hours: 1 }), part("b", { hours: 1 })]), "2 h of work"],
    [
      "parts that change the same files",
      facts([part("a", { scope: ["src/**"] }), part("b", { scope: ["src/x.ts"] })]),
      "a and b may both change src/x.ts",
    ],
    ["one file", facts([part("a"), part("b")], { storyScope: ["src/x.ts"] }), "one file (src/x.ts)"],
    [
      "parts of one file",
      facts([part("a", { scope: ["x.ts"] }), part("b", { scope: ["x.ts"] })]),
      "one file (x.ts)",
    ],
    [
      "delegating switched off",
      facts([part("a"), part("b")], { limits: { ...defaultLimits, enabled: false } }),
      "switched off",
    ],
    ["depth 0", facts([part("a"), part("b")], { limits: { ...defaultLimits, maxDepth: 0 } }), "no worker"],
  ])("advises against %s", (_what, given, reason) => {
    const { verdict, reasons, depth } = predictSplit(given);
    expect(verdict).toBe("alone");
    expect(reasons.join("; ")).toContain(reason);
    expect(depth.advised).toBe(0);
  });

  it.each([
    [
      "more parts than workers are allowed",
      facts(Array.from({ length: 11 }, (_, index) => part(`p${index}`))),
      "at most 10",
    ],
    ["a part below an hour", facts([part("a"), part("b", { hours: 0.5 })]), "b below 1 h"],
    [
      "an overlap of two of three parts",
      facts([part("a", { scope: ["a/**"] }), part("b", { scope: ["b/**"] }), part("c", { scope: ["b/x"] })]),
      "b and c may both change b/**",
    ],
    [
      "a cost above the budget",
      facts([part("a"), part("b")], {
        budgetMicroUsd: 1_000_000,
        listMicroUsd: { low: 900_000, middle: 1_000_000, high: 1_100_000 },
      }),
      "budget of $1.00",
    ],
  ])("asks for another division with %s", (_what, given, reason) => {
    const { verdict, reasons } = predictSplit(given);
    expect(verdict).toBe("fewer");
    expect(reasons.join("; ")).toContain(reason);
  });

  it("counts the workers that both the story and its first level allow", () => {
    const parts = ["a", "b", "c", "d"].map((name) => part(name));
    const limits: SplitFacts["limits"] = { ...defaultLimits, maxDelegations: 10, fanOut: [3, 5, 3] };
    expect(predictSplit(facts(parts, { limits })).reasons.join()).toContain(
      "4 parts, and at most 3 workers are allowed",
    );
    expect(predictSplit(facts(parts)).reasons.join()).not.toContain("are allowed");
  });

  it("counts only pairs of parts that both name files", () => {
    const parts = ["a", "b", "c"].map((name) => part(name, { scope: ["src/**"] }));
    const { reasons } = predictSplit(facts([...parts, part("d", { scope: [] })]));
    expect(reasons.join()).toContain("3 of 3 pairs of parts may change the same files");
  });

  it("decides nothing if the agent divides the work, and reports how earlier stories were divided", () => {
    const history = { ...nothing, stories: 4, divided: 3, fanOut: { low: 2, middle: 3, high: 5 } };
    const prediction = predictSplit(facts([], { origin: "nobody", history }));
    expect(prediction).toMatchObject({ verdict: "open", workers: { least: 2, most: 5 } });
    expect(prediction.reasons).toEqual(["3 of 4 earlier stories were divided"]);
  });

  it("accepts overlapping scopes of parts that wait for each other", () => {
    const scope = ["src/**"];
    const parts = [part("a", { scope }), part("b", { scope, after: [0] }), part("c", { scope: ["doc"] })];
    expect(predictSplit(facts(parts))).toMatchObject({ verdict: "split", overlaps: [], chain: 2, atOnce: 2 });
  });
});

describe("the predicted cost", () => {
  it("comes from earlier workers if there are enough of them, otherwise from the price list", () => {
    const listMicroUsd = { low: 100, middle: 200, high: 300 };
    const spread = { low: 10, middle: 20, high: 40 };
    const few = { ...nothing, workers: 2, workerMicroUsd: spread };
    const enough = { ...nothing, workers: 3, workerMicroUsd: spread };
    const parts = [part("a"), part("b")];
    expect(predictSplit(facts(parts, { history: few, listMicroUsd })).cost).toMatchObject({
      lowMicroUsd: 200,
      highMicroUsd: 600,
      from: "price list",
    });
    expect(predictSplit(facts(parts, { history: enough, listMicroUsd })).cost).toMatchObject({
      lowMicroUsd: 20,
      highMicroUsd: 80,
      from: "history",
      samples: 3,
    });
    expect(predictSplit(facts(parts)).cost).toBeNull();
  });
});

describe("advice on depth (R183)", () => {
  const large = [part("a", { hours: 20 }), part("b", { hours: 4 })];

  it("is one level for parts that need not be divided again, two for larger ones", () => {
    expect(predictSplit(facts([part("a"), part("b")])).depth.advised).toBe(1);
    expect(predictSplit(facts(large)).depth).toEqual({ advised: 2, reason: "a above 12 h" });
  });

  it("takes account of how earlier workers at depth 2 ended", () => {
    const byDepth = [
      { depth: 1, ended: 10, completed: 9 },
      { depth: 2, ended: 6, completed: 2 },
    ];
    const { depth } = predictSplit(facts(large, { history: { ...nothing, byDepth } }));
    expect(depth).toEqual({
      advised: 1,
      reason: "at depth 2 only 2 of 6 workers completed, at depth 1 9 of 10 workers",
    });
  });

  it("never goes above the limit", () => {
    const { depth } = predictSplit(facts(large, { limits: { ...defaultLimits, maxDepth: 1 } }));
    expect(depth.advised).toBe(1);
  });
});

it("the predicted time of any plan is at most the sum of its hours, and no prediction breaks a limit", () => {
  const plan = fc
    .array(
      fc.record({ hours: fc.integer({ min: 1, max: 20 }), back: fc.array(fc.nat(9), { maxLength: 3 }) }),
      {
        minLength: 1,
        maxLength: 12,
      },
    )
    .map((rows) =>
      rows.map(({ hours, back }, index) => {
        const after = index === 0 ? [] : [...new Set(back.map((step) => step % index))];
        return part(`p${index}`, { hours, after });
      }),
    );
  fc.assert(
    fc.property(plan, fc.integer({ min: 1, max: 5 }), (parts, maxConcurrent) => {
      const limits = { ...defaultLimits, maxConcurrent };
      const { hours, atOnce, workers, reasons, isSequential } = predictSplit(facts(parts, { limits }));
      const work = parts.reduce((sum, one) => sum + (one.hours ?? 0), 0);
      expect(hours?.work).toBe(work);
      expect(hours?.elapsed).toBeLessThanOrEqual(work);
      expect(hours?.elapsed).toBeGreaterThanOrEqual(work / maxConcurrent);
      expect(atOnce).toBeLessThanOrEqual(maxConcurrent);
      expect(workers.most).toBeLessThanOrEqual(limits.maxDelegations);
      expect(reasons.length).toBeGreaterThan(0);
      if (isSequential) expect(hours?.elapsed).toBe(work);
    }),
    { numRuns: 300 },
  );
});
