import * as fc from "fast-check";
import { describe, expect, it } from "vitest";
import { maskMarkdownCode } from "../../../src/contract/directives/markdown-mask.ts";
import { countReads } from "../count-reads.ts";

/** The text with every masked character replaced by `#`, line breaks kept. */
function shown(text: string): string {
  const mask = maskMarkdownCode(text);
  return text
    .split("")
    .map((unit, index) => (mask[index] === 1 && unit !== "\n" ? "#" : unit))
    .join("");
}

describe("the mask of code spans", () => {
  it.each([
    ["a `b` c", "a ### c"],
    ["a ``b ` c`` d", "a ######### d"],
    ["a `b`` c", "a `b`` c"],
    ["a ` b", "a ` b"],
    ["a `b\nc` d", "a ##\n## d"],
    ["a `b\n\nc` d", "a `b\n\nc` d"],
    ["a `b\n \t\nc` d", "a `b\n \t\nc` d"],
    ["a `b\r\n\r\nc` d", "a `b\r\n\r\nc` d"],
    ["`a` b `c`", "### b ###"],
    ["`a `` b` c ``", "######## c ``"],
  ])("pairs backtick runs of equal length in %j", (text, expected) => {
    expect(shown(text)).toBe(expected);
  });

  it.each([
    ["\\`a` b", "\\`a` b"],
    ["\\\\`a` b", "\\\\### b"],
    ["`a\\` b", "#### b"],
    ["\\``a` b", "\\`### b"],
  ])("lets a backslash escape an opening backtick, not a closing one: %j", (text, expected) => {
    expect(shown(text)).toBe(expected);
  });

  it.each([
    ["- one ` here\n- two ` there", "list items"],
    ["* one ` here\n*\ttwo ` there", "starred items"],
    ["+ one ` here\n+\nthen ` there", "an empty item"],
    ["1. one ` here\n2) two ` there", "numbered items"],
    ["a ` here\n90. two ` there", "a number with 0 and 9"],
    ["a ` here\n123456789. two ` there", "a number of nine digits"],
    ["# one ` here\ntwo ` there", "a heading above"],
    ["one ` here\n###### two ` there", "a heading below"],
    ["one ` here\n#\ntwo ` there", "an empty heading"],
  ])("never crosses %j (%s)", (text) => {
    expect(shown(text)).toBe(text);
  });

  it.each([
    ["a `b\n####### c` d", "a ##\n########## d", "seven number signs"],
    ["a `b\n1234567890. c` d", "a ##\n############## d", "ten digits"],
    ["a `b\n1: c` d", "a ##\n##### d", "a number and a colon"],
    ["a `b\n. c` d", "a ##\n#### d", "a full stop alone"],
    ["a `b\n1.c` d", "a ##\n#### d", "a decimal"],
    ["a `b\n**c** d` e", "a ##\n######## e", "bold text"],
    ["a `b\n+c` d", "a ##\n### d", "a sign"],
    ["> a `b\n> c` d", "> a ##\n#### d", "a quote going on"],
  ])("crosses the line break of %j, shown as %j: %s", (text, expected) => {
    expect(shown(text)).toBe(expected);
  });

  it("does not mistake a number sign or a dash inside a paragraph for a new block", () => {
    expect(shown("a `b\n#c` -d `e\n-f` g")).toBe("a ##\n### -d ##\n### g");
  });

  it("agrees with a plain search for the next run of the same length", () => {
    const line = fc
      .array(fc.constantFrom("`", "``", "```", "a", " "), { maxLength: 30 })
      .map((parts) => `x${parts.join("")}`);
    fc.assert(
      fc.property(line, (text) => {
        expect(shown(text)).toBe(maskPlainly(text));
      }),
    );
  });
});

describe("the mask of fences", () => {
  it.each([
    ["```\na\n```\nb", "###\n#\n###\nb"],
    ["~~~ js\na\n~~~\nb", "######\n#\n###\nb"],
    ["   ```\na\n   ```\nb", "######\n#\n######\nb"],
    ["    ~~~\na", "    ~~~\na"],
    ["```\na\n``\nb", "###\n#\n##\n#"],
    ["```\na\n`````\nb", "###\n#\n#####\nb"],
    ["````\na\n```\nb", "####\n#\n###\n#"],
    ["```\na\n~~~\nb", "###\n#\n###\n#"],
    ["```\na\n``` b\nc", "###\n#\n#####\n#"],
    ["```\na\n    ```\nb", "###\n#\n#######\n#"],
    ["```\na\n\nb", "###\n#\n\n#"],
    ["a\n```\nb\n```", "a\n###\n#\n###"],
    ["~~\na", "~~\na"],
    ["```\na\n``` \t \nb", "###\n#\n######\nb"],
    ["```js\na\n\nb", "#####\n#\n\n#"],
    ["```a`b\n\nc", "```a`b\n\nc"],
    ["```\na\n- ```\nb", "###\n#\n#####\n#"],
    ["```\na\n> ```\nb", "###\n#\n#####\n#"],
  ])("masks %j from its opening to a closing fence at least as long", (text, expected) => {
    expect(shown(text)).toBe(expected);
  });

  it("treats three backticks with a partner on the same line as a span", () => {
    expect(shown("``` a ``` b\nc")).toBe("######### b\nc");
  });

  it("reads backticks in the info string of a tilde fence", () => {
    expect(shown("~~~ `a`\nb\n~~~")).toBe("#######\n#\n###");
  });

  it("ends an open span where a fence begins", () => {
    expect(shown("a ` b\n~~~\nc\n~~~\nd ` e")).toBe("a ` b\n###\n#\n###\nd ` e");
  });

  it.each([
    ["1. a\n\n    ~~~\n    b\n\n    c\n    ~~~\nd", "1. a\n\n#######\n#####\n\n#####\n#######\nd"],
    ["- ~~~\n  b\n  ~~~\nc", "#####\n###\n#####\nc"],
    ["- a\n\nb\n\n     ~~~\nc", "- a\n\nb\n\n     ~~~\nc"],
    ["> ~~~\n> a\n> ~~~\nb", "#####\n###\n#####\nb"],
    ["> ~~~\n> a\nb", "#####\n###\nb"],
    ["   > ~~~\n   > a\n   > ~~~\nb", "########\n######\n########\nb"],
    ["-    ~~~\nb", "########\n#"],
    ["-     ~~~\nb", "-     ~~~\nb"],
    [">    ~~~\n> b", "########\n###"],
    [">     ~~~\n> b", ">     ~~~\n> b"],
    ["> ~~~\n>    ~~~\n> b", "#####\n########\n> b"],
    ["> ~~~\n>     ~~~\n> b", "#####\n#########\n###"],
    ["- a\n\n\t~~~\n\tb\n\n\t~~~\nc", "- a\n\n####\n##\n\n####\nc"],
    ["\t~~~\nb", "\t~~~\nb"],
    [" \t~~~\nb", " \t~~~\nb"],
    ["- a\n\n  \t ~~~\nb", "- a\n\n#######\n#"],
    ["- a\n\n  \t  ~~~\nb", "- a\n\n  \t  ~~~\nb"],
  ])("finds a fence inside a list item or a quote: %j", (text, expected) => {
    expect(shown(text)).toBe(expected);
  });

  it("masks everything between two fences that the content cannot close", () => {
    fc.assert(
      fc.property(fc.string(), (content) => {
        const fence = "~".repeat(longestRun(content, "~") + 3);
        const text = `${fence}\n${content}\n${fence}\n`;
        const mask = maskMarkdownCode(`${text}after`);
        const inner = mask.subarray(0, text.length);
        const isBreak = (index: number) => "\r\n".includes(text.charAt(index));
        expect(inner.every((value, index) => value === 1 || isBreak(index))).toBe(true);
        expect(mask.subarray(text.length).includes(1)).toBe(false);
      }),
    );
  });
});

describe("the mask of any text", () => {
  it("masks nothing without backticks and tildes", () => {
    const plain = fc.string().map((text) => text.replaceAll(/[`~]/g, ""));
    fc.assert(
      fc.property(plain, (text) => {
        expect(maskMarkdownCode(text).includes(1)).toBe(false);
      }),
    );
  });

  it.each([
    ["backticks", "`"],
    ["separate backticks", "` "],
    ["open fences", "~~~\n"],
    ["list marks", "- "],
    ["numbered marks", "1) "],
    ["quote marks", ">"],
    ["white space", " "],
    ["line breaks", "\n"],
    ["number signs", "#"],
    ["backslashes", "\\"],
    ["digits", "1"],
  ])("reads each character a bounded number of times in a text of %s", (_name, unit) => {
    const text = unit.repeat(20_000 / unit.length);
    expect(countReads(() => maskMarkdownCode(text))).toBeLessThan(20 * text.length);
  });

  it("reads each character a bounded number of times if the runs of backticks have no partner", () => {
    const text = Array.from({ length: 200 }, (_, index) => "`".repeat(index + 1)).join(" ");
    expect(countReads(() => maskMarkdownCode(text))).toBeLessThan(20 * text.length);
  });
});

function longestRun(text: string, unit: string): number {
  return Math.max(0, ...text.split(new RegExp(`[^${unit}]`)).map((run) => run.length));
}

function maskPlainly(text: string): string {
  const runs = [...text.matchAll(/`+/g)].map((match) => ({
    start: match.index,
    end: match.index + match[0].length,
  }));
  const covered = new Set<number>();
  let free = 0;
  for (const [place, opening] of runs.entries()) {
    const length = opening.end - opening.start;
    const closing = runs.slice(place + 1).find((run) => run.end - run.start === length);
    if (opening.start < free || closing === undefined) continue;
    for (let index = opening.start; index < closing.end; index += 1) covered.add(index);
    free = closing.end;
  }
  return text
    .split("")
    .map((unit, index) => (covered.has(index) ? "#" : unit))
    .join("");
}
