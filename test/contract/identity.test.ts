import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { createSessionId } from "../../src/base/ids.ts";
import { childId, depthOfId } from "../../src/contract/child-id.ts";
import { isSessionId, storyIdSchema } from "../../src/contract/identity.ts";

describe("session ids", () => {
  it.each(["sess_20251226_abc123", "sess_1735460684_a1b2c3", "sess_1735460684_000000"])(
    "accepts %s (R24, C7)",
    (id) => expect(isSessionId(id)).toBe(true),
  );

  it.each([
    "",
    "sess_",
    "sess_1735460684_A1B2C3",
    "sess_1735460684_a1b2c",
    "sess_1735460684_a1b2c3d",
    "sess_173546068_a1b2c3",
    "sess_17354606841_a1b2c3",
    " sess_1735460684_a1b2c3",
    "sess_1735460684_a1b2c3\n",
    "session_1735460684_a1b2c3",
  ])("refuses %j (C7)", (id) => expect(isSessionId(id)).toBe(false));

  it("accepts every id it generates until the year 2286 (R25)", () => {
    const seconds = fc.integer({ min: 1_000_000_000, max: 9_999_999_999 });
    fc.assert(
      fc.property(seconds, (second) => {
        const clock = { wallMs: () => second * 1000, monotonicMs: () => 0 };
        expect(isSessionId(createSessionId(clock))).toBe(true);
      }),
    );
  });
});

describe("worker ids", () => {
  it("count with three digits and then grow (R3)", () => {
    expect(childId("US-010", 1)).toBe("US-010-DEL-001");
    expect(childId("US-010-DEL-001", 2)).toBe("US-010-DEL-001-DEL-002");
    expect(childId("US-010", 1000)).toBe("US-010-DEL-1000");
  });

  it("show their depth by their segments (R3, R17)", () => {
    const numbers = fc.array(fc.integer({ min: 1, max: 5000 }), { maxLength: 6 });
    fc.assert(
      fc.property(numbers, (path) => {
        expect(depthOfId(path.reduce(childId, "US-010"))).toBe(path.length);
      }),
    );
    expect(depthOfId("US-DEL-1")).toBe(0);
  });
});

describe("story ids", () => {
  it.each(["US-010", "a", "0", "fix_login.v2", "x".repeat(80)])("accepts %s", (id) => {
    expect(storyIdSchema.safeParse(id).success).toBe(true);
  });

  // A story id becomes a branch and a folder, so an id that git or a path would misread is refused.
  it.each(["", "-x", ".x", "a b", "a/b", "a..b", "a.", "a.lock", "ä", "x".repeat(81), "a\n", "a\0"])(
    "refuses %j",
    (id) => expect(storyIdSchema.safeParse(id).success).toBe(false),
  );
});
