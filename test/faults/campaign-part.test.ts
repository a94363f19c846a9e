import { expect, it } from "vitest";
import { storyRound } from "../slow/campaign/rounds.ts";
import { randomOfCase } from "../slow/random.ts";

/** One round of the campaign that `npm run test:campaign` runs whole. */
it(
  "a story whose processes are killed keeps its work, books its cost and ends",
  { timeout: 300_000 },
  async () => {
    const { faults, noted, kills } = await storyRound(randomOfCase(1, 0));
    expect(faults).toEqual([]);
    expect(noted).toBeGreaterThan(0);
    expect(Object.keys(kills)).not.toEqual([]);
  },
);
