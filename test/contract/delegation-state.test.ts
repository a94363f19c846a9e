import { describe, expect, it } from "vitest";
import { mayCloseAs, transitions } from "../../src/contract/delegation-state.ts";
import { delegationStates, outcomes } from "../../src/contract/outcome.ts";

describe("the table of state changes", () => {
  it("is exactly this one", () => {
    expect(transitions).toStrictEqual({
      "attempt-started": { from: ["queued"], to: "running" },
      "attempt-lost": { from: ["running", "returned", "verified"], to: "queued" },
      "attempt-retried": { from: ["running", "parked", "returned", "verified"], to: "queued" },
      "delegation-parked": { from: ["running", "parked"], to: "parked" },
      "delegation-rejoined": { from: ["parked"], to: "running" },
      "delegation-resumed": { from: ["parked"], to: "queued" },
      "delegation-returned": { from: ["running", "parked"], to: "returned" },
      "delegation-verified": { from: ["returned"], to: "verified" },
      "merge-repeated": { from: ["verified"], to: "returned" },
      "delegation-merged": { from: ["verified"], to: "merged" },
      "delegation-closed": {
        from: ["queued", "running", "parked", "returned", "verified", "merged"],
        to: "closed",
      },
    });
  });

  it("allows no change after a delegation is closed", () => {
    for (const transition of Object.values(transitions)) expect(transition.from).not.toContain("closed");
  });
});

describe("mayCloseAs", () => {
  it("lets only verified or merged work close as completed", () => {
    expect(delegationStates.filter((state) => mayCloseAs("completed", state))).toStrictEqual([
      "verified",
      "merged",
    ]);
  });

  it.each(outcomes.filter((outcome) => outcome !== "completed"))(
    "lets %s end a delegation in any state but closed",
    (outcome) => {
      expect(delegationStates.filter((state) => mayCloseAs(outcome, state))).toStrictEqual([
        "queued",
        "running",
        "parked",
        "returned",
        "verified",
        "merged",
      ]);
    },
  );
});
