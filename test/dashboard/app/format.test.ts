import { describe, expect, it } from "vitest";
import {
  formatAgo,
  formatDuration,
  formatTokens,
  formatSpent,
  formatUsd,
  plural,
} from "../../../src/dashboard/app/text/format.ts";
import { eventTypes } from "../../../src/dashboard/app/text/event-types.ts";
import { looks } from "../../../src/dashboard/app/text/state-look.ts";
import { journalEventTypes } from "../../../src/contract/journal-event.ts";

describe("figures for people", () => {
  it("show money to the cent, and fractions of a cent only below a cent", () => {
    const shown = [0, 50, 1200, 310_000, 5_000_000, 1_234_567_890].map(formatUsd);
    expect(shown).toStrictEqual(["$0.00", "<$0.0001", "$0.0012", "$0.31", "$5.00", "$1,235"]);
  });

  it("show an unreported amount as not reported, not as free", () => {
    expect([0, 310_000].map(formatSpent)).toStrictEqual(["not reported", "$0.31"]);
  });

  it("show times in two units at most", () => {
    const shown = [-5, 850, 41_000, 277_000, 7_500_000, 200_000_000].map(formatDuration);
    expect(shown).toStrictEqual(["0.0s", "0.8s", "41s", "4m37s", "2h05m", "2d7h"]);
  });

  it("show tokens and counts in few digits", () => {
    expect([850, 1200, 38_400, 2_340_000].map(formatTokens)).toStrictEqual(["850", "1.2k", "38k", "2.3M"]);
    expect([plural(1, "story", "stories"), plural(1200, "event")]).toStrictEqual(["1 story", "1,200 events"]);
    expect(formatAgo(0, 59_000)).toBe("just now");
    expect(formatAgo(0, 3_600_000 * 5)).toBe("5 h ago");
  });
});

it("the dashboard knows every event of the journal", () => {
  expect([...eventTypes].sort()).toStrictEqual([...journalEventTypes].sort());
});

it("every state has a mark, and not a colour alone", () => {
  for (const { glyph } of Object.values(looks)) expect(glyph).not.toBe("");
});
