import { describe, expect, it } from "vitest";
import fc from "fast-check";
import { foldLines } from "../../../src/cli/render/fold-lines.ts";

describe("a line that is wider than the terminal", () => {
  it("is folded at blanks, and continues below its own indent", () => {
    expect(foldLines("  It is completed: every criterion was met.", 24)).toBe(
      "  It is completed: every\n    criterion was met.",
    );
  });

  it("stays whole if it holds a command or colours, or goes to a file", () => {
    const command = '  ambit reject S-1 --reason "the reason for this"';
    const bold = "\u001B[1mA headline that is rather long\u001B[22m";
    expect(foldLines(`${command}\n${bold}`, 20)).toBe(`${command}\n${bold}`);
    expect(foldLines("a b c d", undefined)).toBe("a b c d");
  });

  it("counts wide letters as the terminal does", () => {
    expect(foldLines("漢字 漢字 漢字", 9)).toBe("漢字 漢字\n  漢字");
  });
});

it("folding loses no word, and exceeds the width only with a word that does not fit", () => {
  const words = fc.array(fc.stringMatching(/^[a-z]{1,12}$/), { minLength: 1, maxLength: 20 });
  fc.assert(
    fc.property(words, fc.integer({ min: 10, max: 40 }), (said, width) => {
      const lines = foldLines(said.join(" "), width).split("\n");
      expect(lines.flatMap((line) => line.trim().split(" "))).toEqual(said);
      for (const line of lines) if (line.trim().includes(" ")) expect(line.length).toBeLessThanOrEqual(width);
    }),
  );
});
