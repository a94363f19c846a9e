import { describe, expect, it } from "vitest";
import { createExecutionId, createSessionId, randomBase36 } from "../../src/base/ids.ts";

const clock = { wallMs: () => 1_735_460_684_999, monotonicMs: () => 0 };

describe("ids", () => {
  it("name a session by whole epoch seconds and six characters (R24, R25)", () => {
    expect(createSessionId(clock)).toMatch(/^sess_1735460684_[0-9a-z]{6}$/);
  });

  it("name an attempt in a separate format (R29)", () => {
    expect(createExecutionId()).toMatch(/^exec-[0-9a-z]{12}$/);
  });

  it("use all 36 characters, and no others", () => {
    const drawn = new Set(randomBase36(5000));
    expect([...drawn].toSorted().join("")).toBe("0123456789abcdefghijklmnopqrstuvwxyz");
  });

  it("do not repeat", () => {
    const ids = Array.from({ length: 1000 }, createExecutionId);
    expect(new Set(ids).size).toBe(1000);
  });
});
