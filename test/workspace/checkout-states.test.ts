import { spawn } from "node:child_process";
import { once } from "node:events";
import { text } from "node:stream/consumers";
import fc from "fast-check";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { mergePlainly } from "../slow/checkouts/plain-merge.ts";
import { type CheckoutPlace, makeCheckout } from "./checkout-place.ts";
import { checkoutStates } from "./checkout-states.ts";
import { mergeInCheckout } from "./merge-in-checkout.ts";

let project: CheckoutPlace;

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

  it(
    "is not kept by git alone, so the test would notice a loss (control)",
    { timeout: 300_000 },
    async () => {
      const { failed } = await fc.check(
        fc.asyncProperty(checkoutStates, async (state) => {
          await mergeInCheckout(project, state, { runStory: mergePlainly });
        }),
        { numRuns: 20, seed: 17, endOnFailure: true },
      );
      expect(failed).toBe(true);
    },
  );

  it("is kept when the process that merges or undoes is killed", { timeout: 300_000 }, async () => {
    const words = ["--states", "8", "--kills", "1", "--seed", "17", "--no-controls"];
    const child = spawn(process.execPath, ["scripts/run-ts.mjs", "test/slow/checkout-states.ts", ...words], {
      stdio: ["ignore", "pipe", "inherit"],
    });
    const closed = once(child, "close");
    const output = await text(child.stdout);
    await closed;
    expect(child.exitCode, output).toBe(0);
    expect(JSON.parse(output)).toMatchObject({ states: 8, failed: false });
    expect(JSON.parse(output).kills).toBeGreaterThan(0);
  });
});
