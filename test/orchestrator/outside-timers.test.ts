import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";
import { systemClock } from "../../src/base/clock.ts";
import { ExternalManagerTimers } from "../../src/orchestrator/external-manager/timers.ts";

const MINUTE_MS = 60_000;
const considered = vi.fn<(id: string) => void>();
const timers = (): ExternalManagerTimers =>
  new ExternalManagerTimers(systemClock, { graceMs: MINUTE_MS, consider: considered });
/** Begun now, with ten minutes. */
const story = () => ({
  id: "S-1",
  startedAt: new Date().toISOString(),
  admittedAt: new Date(0).toISOString(),
  timeoutSeconds: 600,
});

beforeEach(() => void vi.useFakeTimers());
afterEach(() => {
  vi.useRealTimers();
  considered.mockClear();
});

describe("the next look at the story of an external manager", () => {
  it("is at the end of its time while its manager is connected, and at twice that while work is running", () => {
    const [time, one] = [timers(), story()];
    expect(time.checkTime(one, true)).toBe("left");
    vi.advanceTimersByTime(10 * MINUTE_MS - 1);
    expect(considered).not.toHaveBeenCalled();
    vi.advanceTimersByTime(1);
    expect(considered).toHaveBeenCalledExactlyOnceWith("S-1");
    expect(time.checkTime(one, true)).toBe("idle");
    vi.advanceTimersByTime(10 * MINUTE_MS);
    expect(considered).toHaveBeenCalledTimes(2);
    expect(time.checkTime(one, true)).toBe("over");
  });

  it("is after the grace period once its manager has left, unless it returns", () => {
    const [time, one] = [timers(), story()];
    time.markGone("S-1");
    expect(time.checkTime(one, false)).toBe("left");
    expect(time.listAway()).toEqual(["S-1"]);
    vi.advanceTimersByTime(MINUTE_MS);
    expect(considered).toHaveBeenCalledTimes(1);
    expect(time.checkTime(one, false)).toBe("idle");
    time.markPresent("S-1");
    expect(time.listAway()).toEqual([]);
    expect(time.checkTime(one, true)).toBe("left");
  });

  it("counts the grace period from the first look for a story that a dead runtime left", () => {
    const [time, one] = [timers(), story()];
    expect(time.checkTime(one, false)).toBe("left");
    vi.advanceTimersByTime(MINUTE_MS - 1);
    expect(time.checkTime(one, false)).toBe("left");
    vi.advanceTimersByTime(1);
    expect(time.checkTime(one, false)).toBe("idle");
  });

  it("never happens once it has ended or all is closed", () => {
    const [time, one] = [timers(), story()];
    time.checkTime(one, true);
    time.forgetStory("S-1");
    vi.advanceTimersByTime(60 * MINUTE_MS);
    expect(considered).not.toHaveBeenCalled();
    time.clearTimers();
    time.checkTime(story(), true);
    expect(vi.getTimerCount()).toBe(0);
  });
});
