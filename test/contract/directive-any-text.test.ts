import * as fc from "fast-check";
import { describe, expect, it } from "vitest";
import { countDirectives, isDirective, parseDirectives } from "../../src/contract/directive.ts";
import { countReads } from "./count-reads.ts";

const story = { parentId: "US-007" } as const;

describe("the parser of directives, on any text,", () => {
  const description = fc
    .array(fc.constantFrom("a", "B", " ", ":", "(", "é", "7", "[x]", "[[y]]", "-"), {
      minLength: 1,
      maxLength: 20,
    })
    .map((parts) => parts.join(""))
    .filter((text) => text.trim() !== "");
  const hours = fc.integer({ min: 1, max: 4000 }).map((quarters) => quarters / 4);
  const noise = fc.array(
    fc.constantFrom("x", " ", "\n", "[", "]", ":", "\\", "delegate:", "[delegate:", "`"),
    {
      maxLength: 25,
    },
  );

  it("reads directives as they were written, in their order and numbered without gaps (R1, R3)", () => {
    fc.assert(
      fc.property(fc.array(fc.tuple(description, hours)), (written) => {
        const text = written.map(([words, time]) => `say [delegate:${words}:${time}] so`).join("\n");
        const { delegations, errors } = parseDirectives(text, story);
        expect(errors).toEqual([]);
        expect(delegations.map((one) => [one.description, one.estimated_hours])).toEqual(
          written.map(([words, time]) => [words.trim(), time]),
        );
        expect(delegations.map((one) => one.child_story_id)).toEqual(
          written.map((_, index) => `US-007-DEL-${String(index + 1).padStart(3, "0")}`),
        );
      }),
    );
  });

  it("finds a directive or an error exactly if a plain text has openings, and never more than those", () => {
    const plain = noise.map((parts) => parts.join("").replaceAll(/[`\\]/g, ""));
    fc.assert(
      fc.property(plain, (text) => {
        const { count, invalid } = countDirectives(text);
        const openings = text.split("[delegate:").length - 1;
        expect(count + invalid).toBeLessThanOrEqual(openings);
        expect(count + invalid > 0).toBe(openings > 0);
      }),
    );
  });

  it("takes a text for a directive only if white space alone surrounds a single directive (R9)", () => {
    fc.assert(
      fc.property(description, hours, fc.constantFrom("x", "]", "[", "`", "\\"), (words, time, other) => {
        const directive = `[delegate:${words}:${time}]`;
        expect(isDirective(` \n${directive}\t`)).toBe(true);
        expect(isDirective(`${directive}${other}`)).toBe(false);
        expect(isDirective(`${other}${directive}`)).toBe(false);
        expect(isDirective(`${directive} ${directive}`)).toBe(false);
      }),
    );
  });

  it("never throws, and an error never quotes more than 120 characters", () => {
    fc.assert(
      fc.property(fc.string({ unit: "binary" }), noise, (any, parts) => {
        const { errors } = parseDirectives(`${any}[delegate:${parts.join("")}${any}`, story);
        expect(errors.every((error) => error.fragment.length <= 120)).toBe(true);
      }),
    );
  });

  it.each([
    ["openings", "[delegate:"],
    ["open brackets", "["],
    ["closing brackets", "]"],
    ["whole directives", "[delegate:a:1]"],
    ["openings on lines", "[delegate:\n"],
    ["closed openings", "[delegate:]"],
    ["backticks", "`"],
    ["separate backticks", "` "],
    ["backslashes", "\\"],
    ["colons", ":"],
  ])("reads each character a bounded number of times in a text of %s", (_name, unit) => {
    const text = `[delegate:${unit.repeat(20_000 / unit.length)}`;
    expect(countReads(() => parseDirectives(text, story))).toBeLessThan(30 * text.length);
  });

  it("reads each character a bounded number of times in deeply nested directives", () => {
    const text = "[delegate:".repeat(1000) + "]".repeat(1000);
    expect(countReads(() => parseDirectives(text, story))).toBeLessThan(30 * text.length);
  });
});
