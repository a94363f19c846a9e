import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { isRetryable, summaryMaxLength } from "../../src/contract/agent-return.ts";
import { explainRejectedReturn, listRejectedProblems } from "../../src/contract/explain-return.ts";
import { askForReturn, returnInstruction } from "../../src/contract/return-instruction.ts";
import { returnCaps } from "../../src/contract/read-return.ts";
import {
  validateReturn,
  validateReturnBytes,
  type ReturnExpectation,
} from "../../src/contract/validate-return.ts";
import { sampleReturns } from "../fixtures/sample-returns.ts";

const session = "sess_1735460684_a1b2c3";
const good = {
  status: "completed",
  summary: "Wrote the parser. All checks pass.",
  artifacts: [{ type: "implementation", path: "src/parser.ts", summary: "The parser" }],
  metadata: {
    session_id: session,
    duration_seconds: 12,
    agent_type: "implementer",
    delegation_depth: 1,
    delegation_path: ["orchestrator", "implement", "implementer"],
  },
  errors: [],
  next_steps: "Run /implement 244",
};
const error = { type: "timeout", message: "Out of time", recoverable: true, recommendation: "Resume" };

const bytes = (text: string): Uint8Array => new TextEncoder().encode(text);
const codes = (value: unknown, expected: ReturnExpectation = {}): readonly string[] =>
  validateReturn(value, expected).codes;
const codesOfText = (text: string, expected = {}): readonly string[] =>
  validateReturnBytes(bytes(text), expected).codes;
const without = (name: string): object =>
  Object.fromEntries(Object.entries(good).filter(([key]) => key !== name));
const withMetadata = (change: object): object => ({ ...good, metadata: { ...good.metadata, ...change } });

describe("the samples of the sources", () => {
  it("are all eleven (R49)", () => expect(sampleReturns).toHaveLength(11));

  it.each(sampleReturns.map((sample) => [sample.name, sample] as const))(
    "include %s, which is accepted (R49, R32, R42)",
    (_name, sample) => {
      const verdict = validateReturn(sample.value, { session: sample.session });
      expect(verdict).toMatchObject({ valid: true, codes: [] });
    },
  );
});

describe("a valid return", () => {
  it("keeps its fields and derives what is missing (R37, R40, R43, R45, C11)", () => {
    const verdict = validateReturn({ ...good, status: "partial", errors: [error] }, { session });
    expect(verdict).toMatchObject({
      valid: true,
      value: {
        status: "partial",
        summary: good.summary,
        artifacts: good.artifacts,
        metadata: good.metadata,
        errors: [{ ...error, code: "TIMEOUT" }],
        next_steps: good.next_steps,
      },
    });
  });

  it.each(["completed", "partial", "failed", "blocked"])("may report the outcome %s (R33)", (status) => {
    const errors = status === "completed" ? [] : [error];
    expect(validateReturn({ ...good, status, errors }, { session })).toMatchObject({
      valid: true,
      value: { status, reported_status: status },
    });
  });

  it.each([
    ["validation", "VALIDATION_FAILED"],
    ["tool_unavailable", "TOOL_UNAVAILABLE"],
    ["execution", "UNKNOWN_ERROR"],
    ["permission", "UNKNOWN_ERROR"],
    ["something new", "UNKNOWN_ERROR"],
  ])("derives the code of an error of type %s (C11, R43)", (type, code) => {
    const verdict = validateReturn({ ...good, status: "failed", errors: [{ ...error, type }] });
    expect(verdict).toMatchObject({ value: { errors: [{ code }] } });
  });

  it("keeps a code the agent gave (C11)", () => {
    const verdict = validateReturn({
      ...good,
      status: "failed",
      errors: [{ ...error, code: "BUILD_ERROR" }],
    });
    expect(verdict).toMatchObject({ value: { errors: [{ code: "BUILD_ERROR" }] } });
  });

  it.each(["researched", "planned", "implemented"])("treats %s as completed (C13)", (status) => {
    const verdict = validateReturn({ ...good, status });
    expect(verdict).toMatchObject({ valid: true, value: { status: "completed", reported_status: status } });
  });

  it("may omit errors, next steps and duration, or write null for them (C10, C11, R41)", () => {
    expect(codes(without("errors"))).toEqual([]);
    expect(codes(without("next_steps"))).toEqual([]);
    expect(codes({ ...good, errors: null, next_steps: null })).toEqual([]);
    expect(codes({ ...good, artifacts: [{ ...good.artifacts[0], summary: null }] })).toEqual([]);
    expect(codes({ ...good, status: "failed", errors: [{ ...error, code: null }] })).toEqual([]);
    expect(codes(withMetadata({ duration_seconds: null, phase_count: null }))).toEqual([]);
    expect(codes(withMetadata({ phase_count: 3, estimated_hours: 8, findings_count: 0 }))).toEqual([]);
  });

  it("keeps unknown metadata, for later versions", () => {
    expect(validateReturn(withMetadata({ extra: 1 }))).toMatchObject({ value: { metadata: { extra: 1 } } });
  });

  it("is retryable only when an error says so (C12, R34)", () => {
    expect(isRetryable({ status: "failed", errors: [{ ...error, code: "TIMEOUT" }] })).toBe(true);
    expect(isRetryable({ status: "failed", errors: [{ ...error, recoverable: false, code: "X" }] })).toBe(
      false,
    );
    expect(isRetryable({ status: "completed", errors: [{ ...error, code: "X" }] })).toBe(false);
  });
});

describe("a return is refused", () => {
  it.each(["status", "summary", "artifacts", "metadata"])("for a missing %s (R32, R57)", (name) => {
    const verdict = validateReturn(without(name));
    expect(verdict.codes).toContain(`MISSING_FIELD:${name}`);
    expect(verdict).toMatchObject({ problems: [{ message: `Missing required field: ${name}` }] });
  });

  it.each(["session_id", "agent_type", "delegation_depth", "delegation_path"])(
    "for a missing metadata.%s (R40)",
    (name) => {
      const metadata = Object.fromEntries(Object.entries(good.metadata).filter(([key]) => key !== name));
      expect(codes({ ...good, metadata })).toEqual([`MISSING_FIELD:${name}`]);
    },
  );

  it("for an unknown status (R33, R57)", () => {
    expect(validateReturn({ ...good, status: "done" })).toMatchObject({
      codes: ["INVALID_STATUS"],
      problems: [{ message: "Invalid status: done" }],
    });
    expect(codes({ ...good, status: 5 })).toEqual(["INVALID_STATUS"]);
    expect(codes({ ...good, status: "COMPLETED" })).toEqual(["INVALID_STATUS"]);
  });

  it("as interrupted with the status of the early record, whatever else it contains", () => {
    expect(codes({ status: "in_progress" })).toEqual(["INTERRUPTED"]);
    expect(codes({ ...good, status: "in_progress" })).toEqual(["INTERRUPTED"]);
  });

  it("for another session (R26, R57)", () => {
    expect(validateReturn(good, { session: "sess_1735460684_zzzzzz" })).toMatchObject({
      codes: ["SESSION_MISMATCH"],
      problems: [{ message: `Session ID mismatch: ${session} != sess_1735460684_zzzzzz` }],
    });
    expect(codes(withMetadata({ session_id: 7 }), { session })).toEqual(["SESSION_MISMATCH"]);
  });

  it("for an invalid session id, if the right one is unknown (C7)", () => {
    expect(codes(withMetadata({ session_id: "s-1" }))).toEqual(["INVALID_FIELD:session_id"]);
  });

  it("for an empty summary (R36, R57)", () => {
    for (const summary of ["", "  \n "]) {
      expect(validateReturn({ ...good, summary })).toMatchObject({
        codes: ["SUMMARY_EMPTY"],
        problems: [{ message: "Summary cannot be empty" }],
      });
    }
    expect(codes({ ...good, summary: 5 })).toEqual(["INVALID_FIELD:summary"]);
  });

  it("for a summary over 500 characters, not for one of exactly 500 (R36, C8, R57)", () => {
    expect(codes({ ...good, summary: "a".repeat(summaryMaxLength) })).toEqual([]);
    expect(codes({ ...good, summary: "😀".repeat(summaryMaxLength) })).toEqual([]);
    expect(validateReturn({ ...good, summary: "a".repeat(summaryMaxLength + 1) })).toMatchObject({
      codes: ["SUMMARY_TOO_LONG"],
      problems: [{ message: "Summary too long (max 500 chars)" }],
    });
  });

  it.each(["partial", "failed", "blocked"])("for the status %s without errors (R44)", (status) => {
    expect(codes({ ...good, status })).toEqual(["ERRORS_REQUIRED"]);
    expect(codes({ ...good, status, errors: [] })).toEqual(["ERRORS_REQUIRED"]);
    expect(codes({ ...good, status, errors: [error] })).toEqual([]);
  });

  it("for errors with missing or wrong fields, and for more than 100 (R43)", () => {
    const failed = { ...good, status: "failed" };
    expect(codes({ ...failed, errors: "none" })).toEqual(["INVALID_FIELD:errors"]);
    expect(codes({ ...failed, errors: [{ type: "x", message: "y", recommendation: "z" }] })).toEqual([
      "MISSING_FIELD:errors[0].recoverable",
    ]);
    expect(codes({ ...failed, errors: [{ ...error, recoverable: "yes" }] })).toEqual([
      "INVALID_FIELD:errors[0].recoverable",
    ]);
    expect(codes({ ...failed, errors: Array.from({ length: 101 }, () => error) })).toEqual(["TOO_LARGE"]);
  });

  it("for artifacts with missing or wrong fields, and for more than 1000 (R37)", () => {
    expect(codes({ ...good, artifacts: {} })).toEqual(["INVALID_FIELD:artifacts"]);
    expect(codes({ ...good, artifacts: [5] })).toEqual(["INVALID_FIELD:artifacts[0]"]);
    expect(codes({ ...good, artifacts: [{ type: "plan" }] })).toEqual(["MISSING_FIELD:artifacts[0].path"]);
    expect(codes({ ...good, artifacts: [{ type: "plan", path: 3 }] })).toEqual([
      "INVALID_FIELD:artifacts[0].path",
    ]);
    expect(codes({ ...good, artifacts: Array.from({ length: 1001 }, () => good.artifacts[0]) })).toEqual([
      "TOO_LARGE",
    ]);
  });

  it("for an artifact type that is not configured (R38, C9)", () => {
    const artifacts = [{ type: "poem", path: "a.md" }];
    expect(codes({ ...good, artifacts })).toEqual(["INVALID_ARTIFACT_TYPE"]);
    expect(codes({ ...good, artifacts }, { artifactTypes: ["poem"] })).toEqual([]);
    for (const type of [
      "research",
      "report",
      "plan",
      "implementation",
      "summary",
      "documentation",
      "handoff",
    ]) {
      expect(codes({ ...good, artifacts: [{ type, path: "a.md" }] })).toEqual([]);
    }
  });

  it.each(["/etc/passwd", "\\\\host\\x", "C:\\x", "~/x", "\\x"])("for the absolute path %s (R39)", (path) => {
    expect(codes({ ...good, artifacts: [{ type: "plan", path }] })).toEqual(["ARTIFACT_PATH_ABSOLUTE"]);
  });

  it.each(["../x", "a/../../x", "a\\..\\..\\x", "./../x"])("for the escaping path %s (R39)", (path) => {
    expect(codes({ ...good, artifacts: [{ type: "plan", path }] })).toEqual(["ARTIFACT_PATH_ESCAPES"]);
  });

  it.each([".", "./", "a/..", "a\0b", "\ud800"])("for the unusable path %j", (path) => {
    expect(codes({ ...good, artifacts: [{ type: "plan", path }] })).toEqual([
      "INVALID_FIELD:artifacts[0].path",
    ]);
  });

  it("not for paths that stay inside (R39)", () => {
    for (const path of ["a/../b", "./a", ".claude/specs/1_x/a.md", "...", "..a/b", "a/..b"]) {
      expect(codes({ ...good, artifacts: [{ type: "plan", path }] })).toEqual([]);
    }
  });

  it("for completed work whose files are missing, empty or links outwards (R53)", () => {
    for (const [state, code] of [
      ["missing", "ARTIFACT_MISSING"],
      ["empty", "ARTIFACT_EMPTY"],
      ["escapes", "ARTIFACT_PATH_ESCAPES"],
    ] as const) {
      expect(codes(good, { probe: () => state })).toEqual([code]);
      expect(codes({ ...good, status: "partial", errors: [error] }, { probe: () => state })).toEqual([]);
    }
    expect(codes(good, { probe: () => "file" })).toEqual([]);
  });

  it("for research or a plan without any artifact (C15, R53)", () => {
    const empty = { ...good, artifacts: [] };
    expect(codes(empty)).toEqual([]);
    expect(codes(empty, { command: "research" })).toEqual(["ARTIFACT_REQUIRED"]);
    expect(codes(empty, { command: "plan" })).toEqual(["ARTIFACT_REQUIRED"]);
    expect(codes(empty, { command: "implement" })).toEqual([]);
    expect(codes({ ...empty, status: "researched" })).toEqual(["ARTIFACT_REQUIRED"]);
    expect(codes({ ...empty, status: "planned" })).toEqual(["ARTIFACT_REQUIRED"]);
    expect(codes({ ...empty, status: "failed", errors: [error] }, { command: "plan" })).toEqual([]);
    const path = ["orchestrator", "research", "researcher"];
    expect(codes({ ...empty, metadata: { ...good.metadata, delegation_path: path } })).toEqual([
      "ARTIFACT_REQUIRED",
    ]);
  });

  it("for a depth or a path that do not fit each other or were not assigned (C3)", () => {
    expect(codes(withMetadata({ delegation_depth: 2 }))).toEqual(["DEPTH_PATH_MISMATCH"]);
    expect(codes(withMetadata({ delegation_path: ["a", "b"] }))).toEqual(["DEPTH_PATH_MISMATCH"]);
    expect(codes(good, { depth: 2 })).toEqual(["DEPTH_PATH_MISMATCH"]);
    expect(codes(good, { path: ["orchestrator", "implement", "other"] })).toEqual(["DEPTH_PATH_MISMATCH"]);
    expect(codes(good, { depth: 1, path: good.metadata.delegation_path })).toEqual([]);
  });

  it("for metadata that is not an object, and for wrong types in it", () => {
    expect(codes({ ...good, metadata: [] })).toEqual(["INVALID_FIELD:metadata"]);
    expect(codes({ ...good, metadata: "x" })).toEqual(["INVALID_FIELD:metadata"]);
    expect(codes(withMetadata({ duration_seconds: -1 }))).toEqual(["INVALID_FIELD:duration_seconds"]);
    expect(codes(withMetadata({ delegation_depth: 1.5 }))).toContain("INVALID_FIELD:delegation_depth");
    expect(codes(withMetadata({ task_numbers: ["x"] }))).toEqual(["INVALID_FIELD:task_numbers[0]"]);
  });

  it("for a missing agent identity, except in a bulk operation (C10, R42)", () => {
    const operation = { session_id: session, task_numbers: [1], success_count: 1 };
    expect(codes({ ...good, metadata: operation })).toEqual([]);
    expect(codes({ ...good, metadata: { session_id: session } })).toEqual([
      "MISSING_FIELD:agent_type",
      "MISSING_FIELD:delegation_depth",
      "MISSING_FIELD:delegation_path",
    ]);
    expect(codes({ ...good, metadata: { ...operation, agent_type: "x" } })).toContain(
      "MISSING_FIELD:delegation_path",
    );
  });

  it("for a poisoned prototype", () => {
    expect(codesOfText(JSON.stringify(good).replace("{", '{"__proto__":{"status":"completed"},'))).toEqual([
      "INVALID_FIELD:__proto__",
    ]);
    expect(
      codesOfText('{"__proto__":{"status":"completed","summary":"A. B.","artifacts":[],"metadata":{}}}'),
    ).toContain("MISSING_FIELD:status");
  });

  it("with every problem in the same order, and each code once (R52)", () => {
    const bad = {
      status: "nope",
      summary: "",
      artifacts: [{ type: "x", path: "/a" }],
      metadata: {},
      errors: [],
    };
    expect(codes(bad)).toEqual([
      "INVALID_STATUS",
      "MISSING_FIELD:session_id",
      "MISSING_FIELD:agent_type",
      "MISSING_FIELD:delegation_depth",
      "MISSING_FIELD:delegation_path",
      "SUMMARY_EMPTY",
      "INVALID_ARTIFACT_TYPE",
      "ARTIFACT_PATH_ABSOLUTE",
    ]);
  });

  it.each([[], "text", 5, null, undefined, true])("as not an object if it is %j (R57)", (value) => {
    expect(validateReturn(value)).toMatchObject({
      codes: ["NOT_AN_OBJECT"],
      problems: [{ message: "Return must be JSON object" }],
    });
  });
});

describe("the reader of a return in raw text", () => {
  const json = JSON.stringify(good);

  it("reads a bare document, a fence, prose around, a byte order mark and CRLF (C14)", () => {
    for (const text of [
      json,
      `\n\n${json}\r\n`,
      `\uFEFF${json}`,
      `All done!\n\`\`\`json\n${json}\n\`\`\`\nBye.`,
    ]) {
      expect(codesOfText(text, { session })).toEqual([]);
    }
  });

  it("prefers the last object with our session over any echo (C14)", () => {
    const echo = json.replace(session, "sess_1735460684_example".slice(0, 22));
    expect(codesOfText(`${json}\nnot this: ${echo}`, { session })).toEqual([]);
    expect(codesOfText(echo, { session })).toEqual(["SESSION_MISMATCH"]);
  });

  it("does not fall back to an earlier answer when a later one is broken anywhere", () => {
    const correction = json.replace('"completed"', '"failed"').replace('"artifacts":[', '"artifacts":[,');
    expect(codesOfText(`${json}\nCorrected: ${correction}`, { session })).toEqual(["NOT_JSON"]);
    expect(codesOfText(`${correction}\nAgain: ${json}`, { session })).toEqual([]);
  });

  it("distinguishes text without JSON, cut JSON and other JSON (R56, R57)", () => {
    expect(validateReturnBytes(bytes("All tests pass!"))).toMatchObject({
      codes: ["NOT_JSON"],
      problems: [{ message: "Cannot parse return as JSON" }],
    });
    expect(codesOfText("")).toEqual(["NOT_JSON"]);
    expect(codesOfText(json.slice(0, -10))).toEqual(["TRUNCATED"]);
    expect(codesOfText("[1]")).toEqual(["NOT_AN_OBJECT"]);
    expect(codesOfText('"text"')).toEqual(["NOT_AN_OBJECT"]);
  });

  it("refuses duplicate keys instead of choosing one", () => {
    expect(codesOfText(json.replace('"status"', '"status":"failed","status"'))).toEqual(["DUPLICATE_KEY"]);
    expect(codesOfText(json.replace('"path"', '"path":"a","path"'))).toEqual(["DUPLICATE_KEY"]);
  });

  it("enforces its caps on size, depth and number of values", () => {
    expect(codesOfText(`{"summary":"${"a".repeat(returnCaps.bytes)}"}`)).toEqual(["TOO_LARGE"]);
    expect(validateReturnBytes(bytes("{}"), { totalBytes: 100 * 1024 * 1024 }).codes).toEqual(["TOO_LARGE"]);
    expect(codesOfText(`{"a":${"[".repeat(40)}${"]".repeat(40)}}`)).toEqual(["TOO_DEEP"]);
    expect(codesOfText(`{"status":[${"1,".repeat(20_000)}1]}`)).toEqual(["TOO_LARGE"]);
    expect(codesOfText("{".repeat(1_000_000))).toEqual(["TRUNCATED"]);
    expect(codesOfText("[".repeat(1_000_000))).toEqual(["TOO_DEEP"]);
  });

  it("repairs bytes that are not UTF-8 and says so", () => {
    const input = bytes(json.replace("parser", "p\u00FFrser"));
    const broken = input.map((byte) => (byte === 0xc3 || byte === 0xbf ? 0xff : byte));
    const verdict = validateReturnBytes(broken, { session });
    expect(verdict.valid).toBe(true);
    expect(verdict.warnings.map((warning) => warning.code)).toContain("ENCODING_REPAIRED");
  });

  it("refuses a raw NUL in a string", () => {
    expect(codesOfText(json.replace("parser", "p\0"))).toEqual(["NOT_JSON"]);
  });

  it("refuses any other JSON value with a code and never throws", () => {
    fc.assert(
      fc.property(fc.jsonValue(), (value) => {
        const verdict = validateReturnBytes(bytes(JSON.stringify(value)), { session });
        expect(verdict.valid).toBe(false);
        expect(verdict.codes.length).toBeGreaterThan(0);
      }),
      { numRuns: 1000 },
    );
  });

  it("accepts a return whatever the order and the indentation of its fields", () => {
    const shuffled = fc.shuffledSubarray(Object.entries(good), { minLength: 6, maxLength: 6 });
    fc.assert(
      fc.property(shuffled, fc.nat(4), (entries, indent) => {
        expect(codesOfText(JSON.stringify(Object.fromEntries(entries), null, indent), { session })).toEqual(
          [],
        );
      }),
    );
  });
});

describe("advice", () => {
  const advice = (summary: string): string[] =>
    validateReturn({ ...good, summary }).warnings.map((warning) => warning.code);

  it("is given on long, one-sentence, marked-up summaries (R35, C8, C39)", () => {
    expect(advice("Two here. And two.")).toEqual([]);
    expect(advice("Only one sentence.")).toEqual(["SUMMARY_SENTENCES"]);
    expect(advice("One without an end")).toEqual(["SUMMARY_SENTENCES"]);
    expect(advice("A. B. C. D. E. F.")).toEqual(["SUMMARY_SENTENCES"]);
    expect(advice("A. B. C. D. E.")).toEqual([]);
    expect(advice("What? Yes!")).toEqual([]);
    expect(advice(`Two here. And two.${" ".repeat(20)}`)).toEqual([]);
    expect(advice(`A. B. C. D. E.${" ".repeat(20)}`)).toEqual([]);
    expect(advice(`${"a".repeat(399)}. B.`)).toEqual(["SUMMARY_LONG"]);
    expect(advice("Done. **Great**.")).toEqual(["SUMMARY_MARKUP"]);
    expect(advice("Done ✅. Good.")).toEqual(["SUMMARY_MARKUP"]);
  });

  it("is given on a completed return that lists errors (R44)", () => {
    const verdict = validateReturn({ ...good, errors: [error] });
    expect(verdict).toMatchObject({ valid: true, warnings: [{ code: "ERRORS_UNEXPECTED" }] });
  });
});

describe("the exchange about a return", () => {
  it("explains a rejection in four parts (R54, R55, R56)", () => {
    expect(
      explainRejectedReturn({
        agent: "researcher",
        session,
        problems: [{ code: "NOT_JSON", message: "Cannot parse return as JSON" }],
      }),
    ).toBe(
      [
        "Error: Subagent return validation failed",
        "",
        "Subagent: researcher",
        `Session: ${session}`,
        "",
        "Validation errors:",
        "- Cannot parse return as JSON",
        "",
        "Recommendation: Fix researcher subagent return format",
      ].join("\n"),
    );
  });

  it("accepts a return without an identity if it is known, and refuses a wrong one (R26, R40)", () => {
    const identity = {
      session_id: session,
      agent_type: "researcher",
      delegation_depth: 1,
      delegation_path: ["a", "b", "researcher"],
    };
    const short = '{"status":"completed","summary":"Did it. All of it.","artifacts":[]}';
    const judge = (text: string, known: object = { identity }) =>
      validateReturnBytes(Buffer.from(text), { session, depth: 1, ...known });
    for (const text of [short, `Done.\n\`\`\`json\n${short}\n\`\`\`\n`])
      expect(judge(text)).toMatchObject({ valid: true, value: { metadata: identity } });
    expect(judge(`${short} is what it said.`).codes).toEqual(["MISSING_FIELD:metadata"]);
    expect(judge(short, {}).codes).toEqual(["MISSING_FIELD:metadata"]);
    const wrong = short.replace("}", ',"metadata":{"session_id":"sess_1700000000_aaaaaa"}}');
    expect(judge(wrong).codes).toEqual(["SESSION_MISMATCH"]);
    expect(judge(short.replace("}", ',"metadata":7}')).codes).toEqual(["INVALID_FIELD:metadata"]);
  });

  it("asks a worker for its return by its tool, or by a file (R50)", () => {
    expect(askForReturn({ tool: "mcp__ambit__submit_return" })).toContain("call mcp__ambit__submit_return");
    expect(askForReturn({ returnFile: "out/return.json" })).toContain("to out/return.json");
    for (const text of [askForReturn({ tool: "t" }), askForReturn({ returnFile: "f" })])
      for (const word of ["completed|partial|failed|blocked", "summary", "artifacts", "errors"])
        expect(text).toContain(word);
  });

  it("lists its problems for the agent without the words for a person (R55)", () => {
    const problems = [
      { code: "A", message: "First" },
      { code: "B", message: "Second" },
    ];
    const text = explainRejectedReturn({ agent: "researcher", session, problems });
    expect(listRejectedProblems(text)).toBe("- First\n- Second");
    expect(listRejectedProblems("another text")).toBe("another text");
  });

  it("asks for the format of a return by message or by file, with every field (R50, R56)", () => {
    expect(returnInstruction()).toContain('"status": "completed|partial|failed|blocked"');
    expect(returnInstruction()).toContain("Return is not valid JSON");
    expect(returnInstruction({ returnFile: "out/return.json" })).toContain("out/return.json");
    for (const field of ["summary", "artifacts", "metadata", "errors", "next_steps", "session_id"]) {
      expect(returnInstruction()).toContain(`"${field}"`);
    }
  });
});
