import { describe, expect, it } from "vitest";
import { maskMarkdownCode } from "../../../src/contract/directives/markdown-mask.ts";

describe("the mask of code spans at line ends and item marks", () => {
  const masked = (text: string): string =>
    text
      .split("")
      .filter((_unit, index) => maskMarkdownCode(text)[index] === 1)
      .join("");

  it("continues a span over CRLF as over LF", () => {
    expect(masked("a `b\r\nc` d")).toBe("`b\r\nc`");
  });

  it("reads a lone CR as a line end and loses nothing after it", () => {
    expect(masked("a\r`b` c")).toBe("`b`");
    expect(masked("a `b\r\rc` d")).toBe("");
  });

  it("accepts digits, not letters, as an item's number", () => {
    expect(masked("a `b\nab. c` d")).toBe("`b\nab. c`");
  });
});
