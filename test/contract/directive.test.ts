import { describe, expect, it } from "vitest";
import {
  countDirectives,
  isDirective,
  parseDirectives,
  parseMcpDirectives,
} from "../../src/contract/directive.ts";

const story = { parentId: "US-007" } as const;

function described(text: string): readonly (readonly [string, number])[] {
  return parseDirectives(text, story).delegations.map(
    (one) => [one.description, one.estimated_hours] as const,
  );
}

function errorCodes(text: string): readonly string[] {
  return parseDirectives(text, story).errors.map((error) => error.code);
}

/** The binding examples of the sources: usage, two examples, five patterns, the MCP section and the quick task section. */
const sourceExamples = [
  ["Implement JWT token generation and validation", 4],
  ["Create login UI component with form validation", 3],
  ["Write integration tests for auth flow", 2],
  ["Implement JWT token service", 4],
  ["Create login routes and controllers", 3],
  ["Add authentication middleware", 2],
  ["Build shopping cart service", 8],
  ["Implement cart storage (Redis)", 3],
  ["Add cart item validation logic", 2],
  ["Implement auth", 4],
  ["Payment processing integration (Stripe API)", 6],
  ["Order validation and inventory check", 4],
  ["Email confirmation service", 3],
  ["Receipt generation and PDF export", 4],
  ["Database schema and migrations (models)", 5],
  ["API routes and controllers", 6],
  ["Authentication middleware", 4],
  ["Validation schemas and error handling", 3],
  ["API documentation (OpenAPI spec)", 2],
  ["Write notification service tests (TDD approach)", 4],
  ["Implement email notification backend", 5],
  ["Implement SMS notification backend", 4],
  ["Create notification template system", 3],
  ["Research Redis vs Memcached trade-offs and recommend", 3],
  ["Implement cache abstraction layer", 4],
  ["Add cache invalidation logic", 3],
  ["Performance benchmarks and optimization", 4],
  ["Backend API endpoints for profile CRUD", 5],
  ["React profile component with form validation", 6],
  ["Profile image upload and storage", 4],
  ["Integration tests for profile flow", 3],
  ["Analyze codebase and suggest refactorings", 5],
  ["JWT implementation", 4],
  ["OAuth integration", 5],
  ["Session management", 3],
] as const;

describe("parseDirectives", () => {
  it("reads description, hours, parent, child and depth (R1, R2, R3)", () => {
    const text =
      "I split this:\n\n[delegate:Implement JWT token service:4]\nand [delegate:Add middleware:2.5] too.";
    expect(parseDirectives(text, story)).toEqual({
      delegations: [
        {
          description: "Implement JWT token service",
          estimated_hours: 4,
          parent_story_id: "US-007",
          child_story_id: "US-007-DEL-001",
          depth: 1,
        },
        {
          description: "Add middleware",
          estimated_hours: 2.5,
          parent_story_id: "US-007",
          child_story_id: "US-007-DEL-002",
          depth: 1,
        },
      ],
      errors: [],
      warnings: [],
    });
  });

  it("reads every example directive of the sources (R8)", () => {
    const text = sourceExamples
      .map(([description, hours]) => `[delegate:${description}:${hours}]`)
      .join("\n");
    expect(described(text)).toEqual(sourceExamples);
    expect(parseDirectives(text, story).errors).toEqual([]);
  });

  it("reads directives a quick task prints behind comment signs (R6)", () => {
    expect(described("# [delegate:JWT implementation:4]\n# [delegate:OAuth integration:5]")).toEqual([
      ["JWT implementation", 4],
      ["OAuth integration", 5],
    ]);
  });

  it("nests ids and takes the depth from the parent's id (R3)", () => {
    const options = { parentId: "US-010-DEL-001" };
    const { delegations } = parseDirectives("[delegate:a:3][delegate:b:2]", options);
    expect(delegations.map((one) => [one.child_story_id, one.depth])).toEqual([
      ["US-010-DEL-001-DEL-001", 2],
      ["US-010-DEL-001-DEL-002", 2],
    ]);
  });

  it("takes caller depth and first number from the caller when given, so that ids never restart (R3)", () => {
    const options = { parentId: "US-010", callerDepth: 2, firstNumber: 999 };
    const { delegations } = parseDirectives("[delegate:a:3] [delegate:b] [delegate:c:3]", options);
    expect(delegations.map((one) => [one.child_story_id, one.depth])).toEqual([
      ["US-010-DEL-999", 3],
      ["US-010-DEL-1000", 3],
    ]);
  });

  it.each([
    ["[delegate:Fix list[0] access:2]", "Fix list[0] access", 2],
    ["[delegate:Fix a[b[0]][1]:2]", "Fix a[b[0]][1]", 2],
    ["[delegate:Map http://a.b:80/c to d:1.5]", "Map http://a.b:80/c to d", 1.5],
    ["[delegate: spaces around : 3 ]", "spaces around", 3],
    ["text[delegate:glued:3]text", "glued", 3],
    ["[see [delegate:in brackets:3]]", "in brackets", 3],
    ["an open [ bracket before [delegate:it:3]", "it", 3],
    ["[delegate:Handle `]` in names:3]", "Handle `]` in names", 3],
    ["[delegate:Handle \\] in names:3]", "Handle \\] in names", 3],
    ["[delegate:outer [delegate:inner:2] part:3]", "outer [delegate:inner:2] part", 3],
    ["\\\\[delegate:after a real backslash:3]", "after a real backslash", 3],
    ["[delegate:Grüße 🎉 an alle:3]", "Grüße 🎉 an alle", 3],
    ["[delegate:leading zero:03]", "leading zero", 3],
    ["    [delegate:indented:3]", "indented", 3],
    ["[delegate:with return:3]\r\n", "with return", 3],
  ])("reads %j (R1)", (text, description, hours) => {
    expect(described(text)).toEqual([[description, hours]]);
    expect(errorCodes(text)).toEqual([]);
  });

  it.each([
    ["`[delegate:a:2]`", "code span"],
    ["``a ` [delegate:a:2]``", "longer span"],
    ["`one\n[delegate:a:2]\nthree`", "span over lines"],
    ["```\n[delegate:a:2]\n```", "fence"],
    ["~~~text\n[delegate:a:2]\n~~~", "tilde fence"],
    ["   ```\n[delegate:a:2]", "unclosed fence"],
    ["````\n```\n[delegate:a:2]\n````", "longer fence"],
    ["\\[delegate:a:2]", "escape"],
    ["[ delegate:a:2] [delegated:a:2] delegate:a:2", "other text"],
  ])("ignores %j (%s)", (text) => {
    expect(parseDirectives(text, story)).toEqual({ delegations: [], errors: [], warnings: [] });
  });

  it("reads directives after a closed fence or a lone backtick", () => {
    expect(described("```\n[delegate:a:2]\n```\n[delegate:b:2] ` [delegate:c:2]\n\n`")).toEqual([
      ["b", 2],
      ["c", 2],
    ]);
  });

  it.each([
    ["[delegate:no end", "INVALID_SYNTAX"],
    ["[delegate:two\nlines:2]", "INVALID_SYNTAX"],
    ["[delegate:two\rlines:2]", "INVALID_SYNTAX"],
    ["[delegate:Fix list[0 access:2]", "INVALID_SYNTAX"],
    ["[delegate:no hours]", "INVALID_SYNTAX"],
    ["[delegate:]", "INVALID_SYNTAX"],
    ["[delegate:closed in code `:2]`", "INVALID_SYNTAX"],
    ["[delegate:a:]", "INVALID_HOURS"],
    ["[delegate:a:soon]", "INVALID_HOURS"],
    ["[delegate:a:0]", "INVALID_HOURS"],
    ["[delegate:a:0.0]", "INVALID_HOURS"],
    ["[delegate:a:-2]", "INVALID_HOURS"],
    ["[delegate:a:+2]", "INVALID_HOURS"],
    ["[delegate:a:4h]", "INVALID_HOURS"],
    ["[delegate:a:1e3]", "INVALID_HOURS"],
    ["[delegate:a:0x10]", "INVALID_HOURS"],
    ["[delegate:a:1.2.3]", "INVALID_HOURS"],
    ["[delegate:a:Infinity]", "INVALID_HOURS"],
    ["[delegate:a:NaN]", "INVALID_HOURS"],
    ["[delegate:a:٣]", "INVALID_HOURS"],
    [`[delegate:a:${"9".repeat(400)}]`, "INVALID_HOURS"],
    ["[delegate::2]", "EMPTY_DESCRIPTION"],
    ["[delegate:  :2]", "EMPTY_DESCRIPTION"],
  ])("reports %j as %s and does not ignore it (R1)", (text, code) => {
    const parsed = parseDirectives(text, story);
    expect(parsed.delegations).toEqual([]);
    expect(parsed.errors.map((error) => error.code)).toEqual([code]);
    expect(text.startsWith(parsed.errors[0]?.fragment ?? "?")).toBe(true);
  });

  it("still reads a whole directive after an open one on the same line", () => {
    const parsed = parseDirectives("[delegate:open [delegate:whole:2] more", story);
    expect(parsed.errors).toEqual([
      { code: "INVALID_SYNTAX", fragment: "[delegate:open [delegate:whole:2] more" },
    ]);
    expect(parsed.delegations.map((one) => one.description)).toEqual(["whole"]);
  });

  it("quotes at most 120 characters of one line, never half a character", () => {
    const [long] = parseDirectives(`[delegate:${"x".repeat(500)}\nnext`, story).errors;
    expect(long?.fragment).toBe(`[delegate:${"x".repeat(110)}`);
    const [short] = parseDirectives("[delegate:open\nnext", story).errors;
    expect(short?.fragment).toBe("[delegate:open");
    const [split] = parseDirectives(`[delegate:${"x".repeat(109)}🎉🎉`, story).errors;
    expect(split?.fragment).toBe(`[delegate:${"x".repeat(109)}`);
    const [whole] = parseDirectives(`[delegate:${"x".repeat(108)}🎉🎉`, story).errors;
    expect(whole?.fragment).toBe(`[delegate:${"x".repeat(108)}🎉`);
  });

  it.each([
    [0.5, ["HOURS_TOO_SMALL"]],
    [0.99, ["HOURS_TOO_SMALL"]],
    [1, []],
    [3, []],
    [8, []],
    [12, []],
    [12.5, ["HOURS_TOO_LARGE"]],
  ])("gives %d hours the warnings %j (R5)", (hours, codes) => {
    const { warnings, delegations } = parseDirectives(`[delegate:a:${hours}]`, story);
    expect(delegations).toHaveLength(1);
    expect(warnings.map((warning) => warning.code)).toEqual(codes);
    expect(
      warnings.every((warning) => warning.message.includes(`US-007-DEL-001 is estimated at ${hours} h`)),
    ).toBe(true);
  });
});

describe("isDirective", () => {
  it.each([
    ["[delegate:Implement auth:4]", true],
    ["  [delegate:Fix list[0]:0.5]\n", true],
    ["[delegate:Implement auth]", false],
    ["[delegate:Implement auth:4] and more", false],
    ["so [delegate:Implement auth:4]", false],
    ["[delegate:a:4][delegate:b:4]", false],
    ["`[delegate:a:4]`", false],
    ["\\[delegate:a:4]", false],
    ["[delegate:a\n:4]", false],
    ["[delegate:a:0]", false],
    ["", false],
  ])("says %j is %s (R9)", (text, expected) => {
    expect(isDirective(text)).toBe(expected);
  });
});

describe("countDirectives", () => {
  it("counts well-formed and malformed directives, and neither in code (R9)", () => {
    const text = "[delegate:a:4] [delegate:b] [delegate::1]\n`[delegate:c:1]`\n[delegate:d:2] [delegate:e:1]";
    expect(countDirectives(text)).toEqual({ count: 3, invalid: 2 });
    expect(countDirectives("nothing here")).toEqual({ count: 0, invalid: 0 });
  });
});

describe("parseMcpDirectives", () => {
  it("reads server, tool and argument (R7)", () => {
    const text = [
      "[use-mcp:filesystem/read_directory:/src/]",
      "[use-mcp:filesystem/read_file:/src/main.py]",
      "[use-mcp: web / fetch : https://a.b:80/c[0] ]",
      "[use-mcp:clock/now]",
      "[use-mcp:hub/tools/list:x]",
    ].join("\n");
    expect(parseMcpDirectives(text)).toEqual([
      { server: "filesystem", tool: "read_directory", argument: "/src/" },
      { server: "filesystem", tool: "read_file", argument: "/src/main.py" },
      { server: "web", tool: "fetch", argument: "https://a.b:80/c[0]" },
      { server: "clock", tool: "now", argument: "" },
      { server: "hub", tool: "tools/list", argument: "x" },
    ]);
  });

  it.each([
    "`[use-mcp:a/b:c]`",
    "```\n[use-mcp:a/b:c]\n```",
    "\\[use-mcp:a/b:c]",
    "[use-mcp:a/b:c",
    "[use-mcp:a:b/c]",
    "[use-mcp:/b:c]",
    "[use-mcp:a/:c]",
    "[use-mcp:]",
  ])("ignores %j (R7)", (text) => {
    expect(parseMcpDirectives(text)).toEqual([]);
  });
});
