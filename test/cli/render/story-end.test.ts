import { expect, it } from "vitest";
import { findWeakestProof } from "../../../src/contract/work-proof.ts";
import { renderStoryEnd } from "../../../src/cli/render/story-end.ts";

const end = { story: "S1", summary: "It ended.", files_changed: 0, merged: true, proof: "proven" };

it("calls the branch of a completed story proven (R79)", () => {
  const shown = renderStoryEnd({ ...end, outcome: "completed" });
  expect(shown).toContain("  proven   branch ambit/S1\n  next     ambit diff S1    ambit merge S1");
});

it("offers no merge of a completed story that changed nothing", () => {
  const shown = renderStoryEnd({ ...end, outcome: "completed", proof: "nothing" });
  expect(shown).toMatch(/nothing was changed.*\n {2}next {5}ambit explain S1$/);
});

it.each(["partial", "failed", "timed_out", "cancelled"])(
  "says of a story that ended %s that only its workers' parts are proven (R79)",
  (outcome) => {
    const shown = renderStoryEnd({ ...end, outcome, code: "CRITERION_FAILED" });
    expect(shown).not.toContain("proven   branch");
    expect(shown).toContain(
      "  parts    branch ambit/S1\n  why      its workers' work is merged there, the story itself is not",
    );
  },
);

it.each([
  [[], "unchecked"],
  [["proven", "unchecked", "no-regression"], "unchecked"],
  [["proven", "nothing"], "nothing"],
  [["proven", "no-regression"], "no-regression"],
  [["proven", "proven"], "proven"],
] as const)("work of parts that are %j is %s (R79)", (proofs, weakest) => {
  expect(findWeakestProof(proofs)).toBe(weakest);
});
