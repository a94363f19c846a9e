import { expect, it } from "vitest";
import { storyRound } from "../slow/campaign/rounds.ts";
import { randomOfCase } from "../slow/random.ts";

/** The whole is `npm run test:campaign`. */
it(
  "keeps, books and ends everything in a story whose processes are killed",
  { timeout: 300_000 },
  async () => {
    const { faults, noted, kills } = await storyRound(randomOfCase(1, 0));
    expect(faults).toEqual([]);
    expect(noted).toBeGreaterThan(0);
    expect(Object.keys(kills)).not.toEqual([]);
  },
);
