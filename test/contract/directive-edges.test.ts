import { describe, expect, it } from "vitest";
import { countDirectives, parseDirectives } from "../../src/contract/directive.ts";

const story = { parentId: "US-007" };
const warningsOf = (hours: string): readonly string[] =>
  parseDirectives(`[delegate:a:${hours}]`, story).warnings.map((warning) => warning.message);
const fragmentOf = (text: string): string | undefined => parseDirectives(text, story).errors[0]?.fragment;

describe("the end of a directive", () => {
  it("is its closing bracket, whatever follows it (R1)", () => {
    expect(parseDirectives("[delegate:Fix the login:2]: then rest", story)).toMatchObject({
      delegations: [{ description: "Fix the login", estimated_hours: 2 }],
      errors: [],
    });
  });

  it("is the end of its line at the latest, even after a backslash", () => {
    expect(countDirectives("[delegate:a \\\nb:2]")).toStrictEqual({ count: 0, invalid: 1 });
  });
});

describe("the warnings about hours (R5)", () => {
  it("have exactly these words", () => {
    expect(warningsOf("0.5")).toStrictEqual([
      "US-007-DEL-001 is estimated at 0.5 h, below 1 h: the overhead outweighs the work; do it yourself or join it with another part",
    ]);
    expect(warningsOf("13")).toStrictEqual([
      "US-007-DEL-001 is estimated at 13 h, above 12 h: split it; 3 to 8 hours work best",
    ]);
  });
});

describe("a quoted fragment", () => {
  const start = `[delegate:${"x".repeat(109)}`;

  it.each(["\u{10000}", "\u{10FC00}", "🎉"])("never ends in half of %j", (character) => {
    expect(fragmentOf(`${start}${character}xx`)).toBe(start);
  });

  it("keeps a line that is short enough unchanged", () => {
    expect(fragmentOf("[delegate:x\ud83c")).toBe("[delegate:x\ud83c");
  });
});
