import * as fc from "fast-check";
import { describe, expect, it } from "vitest";
import { maskQuotedText } from "../../src/contract/directive-spoken.ts";
import { parseSpokenDirectives } from "../../src/contract/directive-spoken.ts";
import { countReads } from "./count-reads.ts";
import { mentionedCases, plainCases, quotedCases } from "./quoted-directives.ts";

const parentId = "US-007";
const spoken = (text: string, given: readonly string[] = []) =>
  parseSpokenDirectives(text, { parentId, given });
const started = (text: string, given: readonly string[] = []): readonly string[] =>
  spoken(text, given).delegations.map(({ description }) => description);

const own = "[delegate:My own request:3]";

describe("directives that were not intended (R1)", () => {
  const cases = quotedCases();

  it("are at least 500, all of them different", () => {
    expect(cases.length).toBeGreaterThanOrEqual(500);
    expect(new Set(cases.map(({ text }) => text)).size).toBe(cases.length);
  });

  it.each(cases)("$kind start nothing and cause no refusal", ({ text, given }) => {
    const read = spoken(text, given);
    expect(read.delegations).toEqual([]);
    expect(read.errors).toEqual([]);
    expect(read.tools).toEqual([]);
  });

  it.each(cases.filter(({ isOpen }) => !isOpen))(
    "$kind leave the agent's own request after them alone",
    ({ text, given }) => {
      expect(started(`${text}\n\n${own}`, given)).toEqual(["My own request"]);
    },
  );

  it.each(mentionedCases())(
    "$kind start nothing, and the agent's own request after them does",
    ({ text }) => {
      const read = spoken(text);
      expect(read).toMatchObject({ delegations: [], errors: [], tools: [] });
      expect(read.mentioned.length).toBe(text.split("[delegate:").length - 1);
      const closing = spoken(`${text}\n\n${own}`);
      expect(closing.delegations.at(-1)?.description).toBe("My own request");
      expect(closing.delegations).toHaveLength(1);
    },
  );
});

describe("directives an agent speaks (R1)", () => {
  it.each(plainCases())("start a delegation in %j", (text) => {
    expect(started(text)).toEqual(["Evil task"]);
  });

  it("keep quotation marks, elements and brackets of their description", () => {
    expect(started('[delegate:Add a "remember me" box:2]')).toEqual(['Add a "remember me" box']);
    expect(started('[delegate:Fix the 5" case:2] [delegate:Fix the 6" case:2]')).toHaveLength(2);
    expect(started('[delegate:Say "hi:2]')).toEqual(['Say "hi']);
    expect(started("[delegate:Render <b>bold</b> text:2]")).toEqual(["Render <b>bold</b> text"]);
    expect(started("[delegate:Type Array<string> well:2]")).toHaveLength(1);
    expect(started("[delegate:Sort a[0] first:2]")).toEqual(["Sort a[0] first"]);
  });

  it("are found after a quotation has ended", () => {
    for (const quote of [
      "> said",
      "```\ncode\n```",
      "````md\n```js\nx\n```\n````",
      "<!-- x -->",
      "<file>\nx\n</file>",
      '{"a": "b"}',
      "    code",
      "diff --git a/x b/x\n+y",
    ])
      expect(started(`${quote}\n\n[delegate:Evil task:2]`)).toEqual(["Evil task"]);
  });

  it("are reported if malformed, unless they were only quoted (R1)", () => {
    expect(spoken("[delegate:no hours]").errors).toHaveLength(1);
    expect(spoken("[delegate:what:hours]", ["end with [delegate:what:hours]"]).errors).toEqual([]);
  });

  it("name the tools of their workers, and quoted ones do not (R7)", () => {
    expect(spoken("[delegate:Look:2]\n[use-mcp:filesystem/read_file:/a.py]").tools).toEqual([
      { server: "filesystem", tool: "read_file", argument: "/a.py" },
    ]);
    expect(spoken("[delegate:Look:2]\n> [use-mcp:filesystem/read_file:/a.py]").tools).toEqual([]);
  });

  it("are distinguished from quoted directives, which are counted, and from repeated ones, which are listed", () => {
    const read = spoken("> [delegate:A:2]\n\n[delegate: b  B!:3]", ['{"summary":"[delegate:B b:1]"}', "x"]);
    expect(read).toMatchObject({ delegations: [], quoted: 1 });
    expect(spoken("[delegate:B  b:9]", ['"[delegate:b \\"B\\":1]"']).echoes).toEqual(["[delegate:B  b:9]"]);
  });
});

describe("the mask of quoted text", () => {
  it("is as long as the text and never throws", () => {
    const piece = fc.constantFrom(
      "[delegate:a:2]",
      '"',
      "'",
      "`",
      "```",
      "\n",
      "<b>",
      "</b>",
      "<!--",
      "-->",
      "> ",
      "+",
      "    ",
      "\\",
      "“",
      "x",
    );
    fc.assert(
      fc.property(fc.array(piece, { maxLength: 60 }), (pieces) => {
        const text = pieces.join("");
        const mask = maskQuotedText(text);
        expect(mask).toHaveLength(text.length);
        expect(spoken(text).delegations.length).toBeLessThanOrEqual(pieces.length);
      }),
      { numRuns: 2000 },
    );
  });

  it.each([
    "'a ",
    "<a",
    "<a>",
    "</a>",
    "<!--",
    "[delegate:",
    "x[delegate:",
    "```x\n",
    '"',
    "“b ",
    "> \n",
    "a:1:",
  ])("reads a long text of repeated %j in time proportional to its length", (piece) => {
    const reads = (count: number): number => countReads(() => maskQuotedText(piece.repeat(count)));
    // Four times the text may need four times the reads, not sixteen times.
    expect(reads(1600) / reads(400)).toBeLessThan(6);
  });
});
