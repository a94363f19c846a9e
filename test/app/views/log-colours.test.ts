import { describe, expect, it } from "vitest";
import { findColours, removeColours } from "../../../src/app/views/log-colours.ts";

const ESC = "\u001b";

describe("the colours of a log", () => {
  it("become our own names, and continue on the next line until they end", () => {
    const lines = [`ok ${ESC}[31mbad`, `still ${ESC}[1mbold${ESC}[0m plain`, "nothing"];
    expect(findColours(lines)).toStrictEqual({
      0: [
        { text: "ok ", tone: "", isBold: false },
        { text: "bad", tone: "red", isBold: false },
      ],
      1: [
        { text: "still ", tone: "red", isBold: false },
        { text: "bold", tone: "red", isBold: true },
        { text: " plain", tone: "", isBold: false },
      ],
    });
    expect(removeColours(lines)).toStrictEqual(["ok bad", "still bold plain", "nothing"]);
  });

  it.each([
    ["38;5;2", "green"],
    ["38;5;200", ""],
    ["38;2;1;2;3;32", "green"],
    ["48;5;1;33", "yellow"],
    ["94", "blue"],
    ["90", "quiet"],
    ["999", ""],
    ["30", "quiet"],
    ["31", "red"],
    ["35", "magenta"],
    ["36", "cyan"],
    ["37", ""],
    ["96", "cyan"],
    ["97", ""],
    ["2", "quiet"],
    ["2;22", ""],
    ["31;22", "red"],
    ["31;39", ""],
    ["31;0", ""],
    ["29", ""],
    ["38:5:1", "red"],
    ["38;5;15", ""],
    ["38;5;16", ""],
    ["48;2;1;2;3", ""],
    ["48;2;31;32;33", ""],
    ["48;5;1", ""],
    ["31;48;5;2", "red"],
    ["31;38;2;1;2;3", ""],
    ["31;38;5", ""],
    ["31;4", "red"],
    ["31;45", "red"],
    ["31;100", "red"],
    ["31;37", ""],
    ["31;97", ""],
  ])("of %s is “%s”", (numbers, tone) => {
    const colours = findColours([`${ESC}[${numbers}mword`]);
    expect(colours[0]?.[0]?.tone ?? "").toBe(tone);
  });

  it("end with the bold type that a program ends", () => {
    expect(findColours([`${ESC}[31;1mloud${ESC}[22mcalm`])).toStrictEqual({
      0: [
        { text: "loud", tone: "red", isBold: true },
        { text: "calm", tone: "red", isBold: false },
      ],
    });
  });

  it("are left out of a line that hides one in a title", () => {
    const line = `${ESC}]0;ti${ESC}[31mtle\u0007shown`;
    expect(removeColours([line])).toStrictEqual(["shown"]);
    expect(findColours([line])).toStrictEqual({});
  });

  it("let no other sequence through, and leave the plain text as it is", () => {
    const lines = [
      `${ESC}]0;title\u0007${ESC}[32mgreen${ESC}[2J${ESC}[H`,
      `${ESC}[31`,
      `${ESC}]8;;https://evil.example${ESC}\\link${ESC}]8;;${ESC}\\ ${ESC}[33mx`,
    ];
    const plain = removeColours(lines);
    const colours = findColours(lines);
    expect(Object.keys(colours)).toContain("0");
    for (const [index, pieces] of Object.entries(colours))
      expect(pieces.map(({ text }) => text).join("")).toBe(plain[Number(index)]);
    expect(JSON.stringify([plain, colours])).not.toContain(String.raw`\u001b`);
    expect(JSON.stringify([plain, colours])).not.toContain("evil.example");
  });

  it("do not hide a credential that they split", () => {
    const key = `ghp_${"a1B2c3D4e5".repeat(4).slice(0, 36)}`;
    const line = `token ${key.slice(0, 12)}${ESC}[31m${key.slice(12)}${ESC}[0m`;
    expect(removeColours([line])[0]).not.toContain(key);
    expect(findColours([line])).toStrictEqual({});
  });
});
