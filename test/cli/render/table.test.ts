import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { renderTable } from "../../../src/cli/render/table.ts";
import { cutText, textWidth } from "../../../src/cli/terminal/text-width.ts";

const table = {
  header: ["Delegation", "Cost USD"],
  rows: [["US-007 (direct)", "$2.50"]],
  footer: ["Total", "$3.70"],
} as const;

describe("renderTable", () => {
  it("draws a box with figures at the right", () => {
    expect(renderTable(table, { ascii: false, width: undefined })).toBe(
      `┌─────────────────┬──────────┐
│ Delegation      │ Cost USD │
├─────────────────┼──────────┤
│ US-007 (direct) │    $2.50 │
├─────────────────┼──────────┤
│ Total           │    $3.70 │
└─────────────────┴──────────┘`,
    );
  });

  it("draws the box in plain ASCII on request, including the marks of cut text", () => {
    const rows = [["a description that does not fit into the terminal", "$1.00"]];
    const text = renderTable({ ...table, rows }, { ascii: true, width: 40 });
    expect(text).toMatch(/^[\n -~]+$/);
    expect(text).toContain("| a description that doe... |    $1.00 |");
  });

  it("is never wider than the terminal as long as the figures fit, and has lines of equal width", () => {
    const title = fc.string({ unit: fc.constantFrom("a", "ü", "認", "🔐", "e\u0301", " ") });
    fc.assert(
      fc.property(title, fc.integer({ min: 30, max: 200 }), fc.boolean(), (name, width, ascii) => {
        const lines = renderTable({ ...table, rows: [[name, "$1.00"]] }, { ascii, width }).split("\n");
        const widths = new Set(lines.map(textWidth));
        expect(widths.size).toBe(1);
        expect(Math.max(...widths)).toBeLessThanOrEqual(width);
      }),
    );
  });

  it("keeps the figures whole in a terminal that is too narrow for them", () => {
    const lines = renderTable(table, { ascii: false, width: 5 }).split("\n");
    expect(lines[3]).toBe("│ US-007 (dir… │    $2.50 │");
  });
});

describe("cutText", () => {
  it.each([
    ["short", 5, "short"],
    ["longer", 5, "long…"],
    ["認証認証", 5, "認証…"],
    ["x".repeat(9), 1, "…"],
    ["x".repeat(9), 0, ""],
  ])("cuts %j to %d columns", (text, width, expected) => {
    expect(cutText(text, width)).toBe(expected);
  });
});
