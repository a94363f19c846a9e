import { describe, expect, it } from "vitest";
import { maskMarkdownCode } from "../../../src/contract/directives/markdown-mask.ts";

describe("line ends and item marks around code spans", () => {
  const masked = (text: string): string =>
    text
      .split("")
      .filter((_unit, index) => maskMarkdownCode(text)[index] === 1)
      .join("");

  it("let a span continue over CRLF as over LF", () => {
    expect(masked("a `b\r\nc` d")).toBe("`b\r\nc`");
  });

  it("read a lone CR as a line end and lose nothing after it", () => {
    expect(masked("a\r`b` c")).toBe("`b`");
    expect(masked("a `b\r\rc` d")).toBe("");
  });

  it("accept digits, not letters, as an item's number", () => {
    expect(masked("a `b\nab. c` d")).toBe("`b\nab. c`");
  });
});
