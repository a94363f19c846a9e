import fc from "fast-check";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { checkoutStates, makeCheckout } from "./checkout-states.ts";
import { mergeInCheckout } from "./merge-in-checkout.ts";

let project: Awaited<ReturnType<typeof makeCheckout>>;

beforeAll(async () => {
  project = await makeCheckout();
});

afterAll(() => project.remove());

describe("any state of a user's checkout", () => {
  it("is kept by snapshot, merge and undo, or the merge is refused", { timeout: 300_000 }, async () => {
    const endings = new Set<string>();
    await fc.assert(
      fc.asyncProperty(checkoutStates, async (state) => {
        endings.add(await mergeInCheckout(project, state));
      }),
      { numRuns: 40, seed: 17 },
    );
    expect(endings).toContain("merged");
    expect(endings).toContain("merged into edited files");
    expect(endings.size).toBeGreaterThan(2);
  });
});
