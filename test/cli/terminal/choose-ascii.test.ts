import { describe, expect, it } from "vitest";
import { chooseAscii, replaceGlyphs } from "../../../src/cli/terminal/choose-ascii.ts";

describe("chooseAscii", () => {
  it.each([
    ["no without any locale", {}, false],
    ["no with UTF-8", { LANG: "en_US.UTF-8" }, false],
    ["no with utf8", { LC_CTYPE: "de_DE.utf8" }, false],
    ["yes with C", { LC_ALL: "C" }, true],
    ["yes with Latin-1", { LANG: "de_DE.ISO-8859-1" }, true],
    ["LC_ALL before LANG", { LC_ALL: "POSIX", LANG: "en_US.UTF-8" }, true],
    ["LC_CTYPE before LANG", { LC_CTYPE: "C.UTF-8", LANG: "C" }, false],
    ["an empty LC_ALL is none", { LC_ALL: "", LANG: "en_US.UTF-8" }, false],
  ])("says %s", (_, environment, expected) => {
    expect(chooseAscii({ wanted: false, environment })).toBe(expected);
  });

  it("obeys --ascii in every locale", () => {
    expect(chooseAscii({ wanted: true, environment: { LANG: "en_US.UTF-8" } })).toBe(true);
  });
});

describe("replaceGlyphs", () => {
  it("replaces what Ambit prints, and keeps the letters of people and projects", () => {
    expect(replaceGlyphs("✔ a → b · “café” 日本 – …")).toBe('+ a -> b - "café" 日本 - ...');
  });

  it("keeps sequences that move the cursor", () => {
    expect(replaceGlyphs("\u001b[2K\u001b[31m✖\u001b[39m")).toBe("\u001b[2K\u001b[31mx\u001b[39m");
  });
});
