import { describe, expect, it } from "vitest";
import { isRetryable } from "../../src/contract/agent-return.ts";
import { returnInstruction } from "../../src/contract/return-instruction.ts";
import { validateReturn, type ReturnExpectation } from "../../src/contract/validate-return.ts";

const session = "sess_1735460684_a1b2c3";
const good = {
  status: "completed",
  summary: "Wrote the parser. All checks pass.",
  artifacts: [{ type: "implementation", path: "src/parser.ts" }],
  metadata: {
    session_id: session,
    agent_type: "implementer",
    delegation_depth: 1,
    delegation_path: ["orchestrator", "implement", "implementer"],
  },
};
const error = { type: "timeout", message: "Out of time", recoverable: true, recommendation: "Resume" };
const failed = { ...good, status: "failed", errors: [error] };

const withMetadata = (change: object): object => ({ ...good, metadata: { ...good.metadata, ...change } });
const withPath = (path: string): object => ({ ...good, artifacts: [{ type: "plan", path }] });
const codes = (value: unknown, expected: ReturnExpectation = {}): readonly string[] =>
  validateReturn(value, expected).codes;
const warnings = (summary: string): readonly string[] =>
  validateReturn({ ...good, summary }).warnings.map((warning) => warning.message);

const many = <Item>(length: number, item: Item): readonly Item[] => Array.from({ length }, () => item);
const long = "a".repeat(130);
const shown = "a".repeat(120);

describe("a refused return (R52, R57)", () => {
  it.each<[string, unknown, ReturnExpectation, string, string]>([
    ["no object", [], {}, "NOT_AN_OBJECT", "Return must be JSON object"],
    [
      "the early record",
      { status: "in_progress" },
      {},
      "INTERRUPTED",
      "Only the early in_progress record is there: the worker began and did not finish",
    ],
    ["status 5", { ...good, status: 5 }, {}, "INVALID_STATUS", "Invalid status: 5"],
    ["an object as status", { ...good, status: { a: 1 } }, {}, "INVALID_STATUS", 'Invalid status: {"a":1}'],
    ["a function as status", { ...good, status: () => 1 }, {}, "INVALID_STATUS", "Invalid status: function"],
    [
      "a status of 60",
      { ...good, status: "a".repeat(60) },
      {},
      "INVALID_STATUS",
      `Invalid status: ${"a".repeat(60)}`,
    ],
    [
      "a status of 61",
      { ...good, status: "a".repeat(61) },
      {},
      "INVALID_STATUS",
      `Invalid status: ${"a".repeat(60)}…`,
    ],
    [
      "a null status",
      { ...good, status: null },
      {},
      "MISSING_FIELD:status",
      "Missing required field: status",
    ],
    [
      "a null summary",
      { ...good, summary: null },
      {},
      "MISSING_FIELD:summary",
      "Missing required field: summary",
    ],
    [
      "null artifacts",
      { ...good, artifacts: null },
      {},
      "MISSING_FIELD:artifacts",
      "Missing required field: artifacts",
    ],
    [
      "null metadata",
      { ...good, metadata: null },
      {},
      "MISSING_FIELD:metadata",
      "Missing required field: metadata",
    ],
    [
      "a number as summary",
      { ...good, summary: 5 },
      {},
      "INVALID_FIELD:summary",
      "Invalid field summary: expected a string",
    ],
    [
      "text as errors",
      { ...good, errors: "x" },
      {},
      "INVALID_FIELD:errors",
      "Invalid field errors: expected an array",
    ],
    [
      "an object as artifacts",
      { ...good, artifacts: {} },
      {},
      "INVALID_FIELD:artifacts",
      "Invalid field artifacts: expected an array",
    ],
    [
      "a list as metadata",
      { ...good, metadata: [] },
      {},
      "INVALID_FIELD:metadata",
      "Invalid field metadata: expected an object",
    ],
    [
      "101 errors",
      { ...failed, errors: many(101, error) },
      {},
      "TOO_LARGE",
      "Too many errors: 101 (max 100)",
    ],
    [
      "1001 artifacts",
      { ...good, artifacts: many(1001, good.artifacts[0]) },
      {},
      "TOO_LARGE",
      "Too many artifacts: 1001 (max 1000)",
    ],
    [
      "no errors",
      { ...good, status: "blocked" },
      {},
      "ERRORS_REQUIRED",
      "Status blocked needs at least one entry in errors",
    ],
    [
      "no file",
      { ...good, artifacts: [] },
      { command: "plan" },
      "ARTIFACT_REQUIRED",
      "A completed plan must name at least one artifact",
    ],
    [
      "an unknown artifact type",
      { ...good, artifacts: [{ type: "x".repeat(70), path: "a.md" }] },
      { artifactTypes: ["poem"] },
      "INVALID_ARTIFACT_TYPE",
      `Invalid artifact type: ${"x".repeat(60)} (known: research, report, plan, implementation, summary, documentation, handoff, poem)`,
    ],
    [
      "an unknown artifact type, none configured",
      { ...good, artifacts: [{ type: "poem", path: "a.md" }] },
      {},
      "INVALID_ARTIFACT_TYPE",
      "Invalid artifact type: poem (known: research, report, plan, implementation, summary, documentation, handoff)",
    ],
    [
      "an absolute path",
      withPath(`/${long}`),
      {},
      "ARTIFACT_PATH_ABSOLUTE",
      `Artifact path must be relative to the project: /${shown.slice(1)}`,
    ],
    [
      "an escaping path",
      withPath("../x"),
      {},
      "ARTIFACT_PATH_ESCAPES",
      "Artifact path leads out of the project: ../x",
    ],
    [
      "an unusable path",
      withPath("."),
      {},
      "INVALID_FIELD:artifacts[0].path",
      "Invalid field artifacts[0].path: is not a usable path",
    ],
    [
      "a missing file",
      withPath(long),
      { probe: () => "missing" },
      "ARTIFACT_MISSING",
      `Artifact does not exist: ${shown}`,
    ],
    [
      "an empty file",
      withPath(long),
      { probe: () => "empty" },
      "ARTIFACT_EMPTY",
      `Artifact is empty: ${shown}`,
    ],
    [
      "a link outwards",
      withPath(long),
      { probe: () => "escapes" },
      "ARTIFACT_PATH_ESCAPES",
      `Artifact is a link out of the project: ${shown}`,
    ],
    [
      "a long foreign session",
      withMetadata({ session_id: "s".repeat(70) }),
      { session },
      "SESSION_MISMATCH",
      `Session ID mismatch: ${"s".repeat(60)} != ${session}`,
    ],
    [
      "a number as session",
      withMetadata({ session_id: 7 }),
      { session },
      "SESSION_MISMATCH",
      `Session ID mismatch: number != ${session}`,
    ],
    [
      "no session where one is expected",
      withMetadata({ session_id: undefined }),
      { session },
      "MISSING_FIELD:session_id",
      "Missing required field: session_id",
    ],
    [
      "a null session where one is expected",
      withMetadata({ session_id: null }),
      { session },
      "MISSING_FIELD:session_id",
      "Missing required field: session_id",
    ],
    [
      "no agent type beside the right session",
      withMetadata({ agent_type: undefined }),
      { session },
      "MISSING_FIELD:agent_type",
      "Missing required field: agent_type",
    ],
    [
      "a depth that does not fit its path (C3)",
      withMetadata({ delegation_depth: 2 }),
      {},
      "DEPTH_PATH_MISMATCH",
      "Delegation depth and path disagree: depth 2 does not fit the path orchestrator → implement → implementer (depth 1)",
    ],
    [
      "another depth than assigned",
      good,
      { depth: 2 },
      "DEPTH_PATH_MISMATCH",
      "Delegation depth and path disagree: depth 1 was reported, 2 was assigned",
    ],
    [
      "another path than assigned",
      good,
      { path: ["orchestrator", "plan", "planner"] },
      "DEPTH_PATH_MISMATCH",
      "Delegation depth and path disagree: path orchestrator → implement → implementer was reported, orchestrator → plan → planner was assigned",
    ],
  ])("has exactly these words for %s", (_name, value, expected, code, message) => {
    expect(validateReturn(value, expected)).toStrictEqual({
      valid: false,
      codes: [code],
      problems: [{ code, message }],
      warnings: [],
    });
  });

  it("has a wrong name in its path reported, and that name does not count as a level", () => {
    const value = withMetadata({ delegation_path: ["orchestrator", "implement", 5] });
    expect(codes(value)).toEqual(["INVALID_FIELD:delegation_path[2]", "DEPTH_PATH_MISMATCH"]);
  });

  it("is refused for a path that leads elsewhere without a look at the file system (R39, R53)", () => {
    const asked: string[] = [];
    const probe = (path: string) => {
      asked.push(path);
      return "missing" as const;
    };
    expect(codes(withPath("/etc/passwd"), { probe })).toEqual(["ARTIFACT_PATH_ABSOLUTE"]);
    expect(codes(withPath("../x"), { probe })).toEqual(["ARTIFACT_PATH_ESCAPES"]);
    expect(asked).toEqual([]);
  });
});

describe("the caps of a return", () => {
  it("allow 100 errors and 1000 artifacts", () => {
    expect(codes({ ...failed, errors: many(100, error) })).toEqual([]);
    expect(codes({ ...good, artifacts: many(1000, good.artifacts[0]) })).toEqual([]);
  });
});

describe("the advice on a return (C8, C39, R35)", () => {
  it.each([
    ["Only one sentence.", "Summary has 1 sentence; 2 to 5 are advised"],
    ["Good.", "Summary has 1 sentence; 2 to 5 are advised"],
    ["Done. ", "Summary has 1 sentence; 2 to 5 are advised"],
    ["One without an end", "Summary has 1 sentence; 2 to 5 are advised"],
    ["A. B. C. D. E. F.", "Summary has 6 sentences; 2 to 5 are advised"],
    [`${"a".repeat(397)}. B.`, "Summary has 401 chars; 400 are advised"],
    ["# Title. Two.", "Summary should be plain text, without emoji or markup"],
    ["Done. ```x```.", "Summary should be plain text, without emoji or markup"],
  ])("has exactly these words for %j", (summary, message) => {
    expect(warnings(summary)).toStrictEqual([message]);
  });

  it.each([
    "Fixed issue #12. It passes.",
    "It passes. So far",
    "First. ab",
    `${"a".repeat(396)}. B.`,
    "Version 1.2.3 is out. It passes.",
  ])("is not given on %j", (summary) => {
    expect(warnings(summary)).toStrictEqual([]);
  });

  it("names the errors of a completed return, and of no other return (R44)", () => {
    expect(validateReturn({ ...good, errors: [error] }).warnings).toStrictEqual([
      { code: "ERRORS_UNEXPECTED", message: "A completed return should have no errors" },
    ]);
    expect(validateReturn(failed).warnings).toStrictEqual([]);
  });
});

describe("the stored form", () => {
  it("has exactly these fields, with the summary trimmed", () => {
    expect(validateReturn({ ...good, summary: " One. Two. \n", extra: 1 })).toStrictEqual({
      valid: true,
      codes: [],
      warnings: [],
      value: { ...good, summary: "One. Two.", reported_status: "completed", errors: [] },
    });
  });

  it.each([
    ["", undefined],
    [5, undefined],
    [null, undefined],
    ["Run the tests", "Run the tests"],
  ])("keeps a next step only if it is text (R45): %j", (next_steps, stored) => {
    const verdict = validateReturn({ ...good, next_steps });
    expect(verdict.valid && Object.hasOwn(verdict.value, "next_steps")).toBe(stored !== undefined);
    expect(verdict.valid && verdict.value.next_steps).toBe(stored);
  });

  it.each(["constructor", "toString", "__proto__", "hasOwnProperty"])(
    "gives an error of type %s without code the code UNKNOWN_ERROR (C11)",
    (type) => {
      expect(validateReturn({ ...failed, errors: [{ ...error, type }] })).toMatchObject({
        valid: true,
        value: { errors: [{ type, code: "UNKNOWN_ERROR" }] },
      });
    },
  );

  it("may be retried when one error of several says so (C12)", () => {
    const lasting = { ...error, code: "X", recoverable: false };
    const passing = { ...error, code: "TIMEOUT" };
    expect(isRetryable({ status: "failed", errors: [lasting, passing] })).toBe(true);
    expect(isRetryable({ status: "failed", errors: [lasting, lasting] })).toBe(false);
  });
});

describe("the request for a return (R50)", () => {
  const instruction = (where: string): string => `RETURN FORMAT (checked by a program, not by a person)
${where}
Plain text, Markdown or any other shape is rejected with "Return is not valid JSON".

{
  "status": "completed|partial|failed|blocked",
  "summary": "2 to 5 sentences about what was achieved, at most 100 tokens, no markup",
  "artifacts": [{"type": "report|plan|implementation|summary|documentation", "path": "relative/path", "summary": "one sentence"}],
  "metadata": {"session_id": "…", "duration_seconds": 0, "agent_type": "…", "delegation_depth": 0, "delegation_path": ["…"]},
  "errors": [{"type": "timeout|validation|execution|tool_unavailable|permission", "message": "…", "recoverable": true, "recommendation": "…"}],
  "next_steps": "what should happen next"
}

errors is required unless status is completed. Name only files that exist and are not empty.`;

  it("asks for a final message, or for a file", () => {
    expect(returnInstruction()).toBe(instruction("End with ONLY this JSON object as your final message."));
    expect(returnInstruction({ returnFile: "out/return.json" })).toBe(
      instruction("Write ONLY this JSON object to out/return.json, then end your turn."),
    );
  });
});
