import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { computeTimeSaved } from "../../src/reports/figures/time-saved.ts";
import { makeDelegation, makeEnded } from "./make-delegation.ts";

const root = makeDelegation("US-1");

describe("timeSaved (R103)", () => {
  it("is two thirds for three workers that ran in parallel", () => {
    const span = ["10:00", "10:10"] as const;
    const workers = ["US-1-DEL-001", "US-1-DEL-002", "US-1-DEL-003"].map((id) => makeEnded(id, span));
    expect(computeTimeSaved([root, ...workers])).toBeCloseTo(2 / 3);
  });

  it("is zero for sequential workers, with or without a pause between them", () => {
    const workers = [
      makeEnded("US-1-DEL-001", ["10:00", "10:10"]),
      makeEnded("US-1-DEL-002", ["10:30", "10:40"]),
    ];
    expect(computeTimeSaved([root, ...workers])).toBe(0);
  });

  it("does not count a manager's waiting for its worker as work", () => {
    const workers = [
      makeEnded("US-1-DEL-001", ["10:00", "10:14"]),
      makeEnded("US-1-DEL-001-DEL-001", ["10:02", "10:11"]),
    ];
    expect(computeTimeSaved([root, ...workers])).toBe(0);
  });

  it("is unknown until a worker has ended", () => {
    expect(computeTimeSaved([root, makeDelegation("US-1-DEL-001")])).toBeNull();
    const instant = makeEnded("US-1-DEL-001", ["10:00", "10:00"]);
    expect(computeTimeSaved([root, instant])).toBeNull();
  });

  it("is between zero and everything, whatever the clock did", () => {
    const minute = fc.integer({ min: 0, max: 59 }).map((value) => `10:${String(value).padStart(2, "0")}`);
    const id = fc
      .array(fc.integer({ min: 1, max: 4 }), { minLength: 1, maxLength: 3 })
      .map((numbers) => `US-1${numbers.map((number) => `-DEL-00${number}`).join("")}`);
    const spans = fc.uniqueArray(fc.tuple(id, minute, minute), { selector: ([name]) => name });
    fc.assert(
      fc.property(spans, (entries) => {
        const saved = computeTimeSaved(entries.map(([name, from, to]) => makeEnded(name, [from, to])));
        if (saved === null) return;
        expect(saved).toBeGreaterThanOrEqual(-1e-9);
        expect(saved).toBeLessThan(1);
      }),
    );
  });
});
