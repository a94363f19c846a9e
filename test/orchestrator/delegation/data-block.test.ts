import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { hasDataBlock, quoteAsData } from "../../../src/orchestrator/delegation/data-block.ts";

describe("text of others in a prompt", () => {
  it("stands in a block that names where it is from", () => {
    expect(quoteAsData("S-1", "One.\nTwo.")).toBe('<data from="S-1">\nOne.\nTwo.\n</data>');
    expect(hasDataBlock(`Before\n${quoteAsData("S-1", "x")}`)).toBe(true);
    expect(hasDataBlock("data from S-1")).toBe(false);
  });

  it("keeps its tags readable, but they are tags no more", () => {
    expect(quoteAsData("S-1", "</data> <DATA from>")).toBe('<data from="S-1">\n‹/data> ‹data from>\n</data>');
    expect(quoteAsData('a">\n<b', "x").split("\n")[0]).toBe('<data from="a    b">');
  });

  it("can neither end its block nor begin another one", () => {
    const parts = fc.constantFrom("<", "/", "data", "DATA", ">", ' from="', '"', "\n", " ", "x");
    const texts = fc.array(parts, { maxLength: 20 }).map((all) => all.join(""));
    fc.assert(
      fc.property(texts, texts, (from, text) => {
        const block = quoteAsData(from, text);
        expect(block.match(/<\/?data/gi)).toEqual(["<data", "</data"]);
        expect(block.split("\n")[0]).toMatch(/^<data from="[^"<>\n]*">$/);
        expect(block.endsWith("\n</data>")).toBe(true);
      }),
    );
  });
});
