import { expect } from "vitest";
import { exitCode } from "../../src/contract/exit-code.ts";
import { usageCase, type CommandCase, type ErrorCase } from "./command-case.ts";

const { completed, failed, limit, usage } = exitCode;

const goodReturn = {
  status: "completed",
  summary: "Wrote the parser. All tests pass.",
  artifacts: [{ type: "implementation", path: "src/parser.ts" }],
  metadata: {
    session_id: "sess_1766779200_a1b2c3",
    agent_type: "implementer",
    delegation_depth: 1,
    delegation_path: ["orchestrator", "implement", "implementer"],
    duration_seconds: 12,
  },
};
const goodReturnText = JSON.stringify(goodReturn);
const longSummary = JSON.stringify({ ...goodReturn, summary: "x".repeat(501) });
const todo = { id: "fix-login", content: "Fix the login", activeForm: "Fixing the login", status: "pending" };

const words = (line: string): string[] => line.split(" ");
const depth = (caller: string, max: string): string[] => ["check", "depth", "--caller", caller, "--max", max];
const budget = (parent: string, child: string): string[] =>
  words(`check budget --parent ${parent} --child ${child} --max 100000`);
const count = (existing: string, requested: string, max = "10"): string[] =>
  words(`check count --existing ${existing} --requested ${requested} --max ${max}`);
const path = (names: string, target: string, max = "3"): string[] => [
  ...words("check path --path"),
  names,
  "--target",
  target,
  "--max",
  max,
];
const cycle = (edges: string, add: string): string[] => ["check", "cycle", "--edges", edges, "--add", add];

/** Covers R10–R14, R17, R61–R65 and C2–C4, C28, C29 at the command line. */
const limitCases: readonly CommandCase[] = [
  {
    args: depth("1", "2"),
    exit: completed,
    json: { allowed: true, child_depth: 2, code: null, codes: [] },
    text: "✔ depth 2 is within 2",
  },
  {
    args: depth("2", "2"),
    exit: limit,
    json: {
      allowed: false,
      child_depth: 3,
      code: "MAX_DEPTH_EXCEEDED",
      message: "Delegation depth limit (2) reached. Cannot delegate further.",
      failures: [expect.objectContaining({ details: ["Current depth: 2"] })],
    },
    text: "✖ MAX_DEPTH_EXCEEDED  Delegation depth limit (2) reached",
  },
  { args: depth("2", "3"), exit: completed, json: { allowed: true, child_depth: 3 }, text: "✔" },
  { args: depth("0", "0"), exit: limit, json: { allowed: false, child_depth: 1 }, text: "Current depth: 0" },
  {
    args: budget("60000", "40000"),
    exit: completed,
    json: { allowed: true, code: null },
    text: "100000 of 100000 tokens",
  },
  {
    args: budget("60000", "40001"),
    exit: limit,
    json: { allowed: false, code: "CONTEXT_BUDGET_EXCEEDED" },
    text: "Total would be: 100,001 tokens",
  },
  {
    args: count("8", "2"),
    exit: completed,
    json: { allowed: true, code: null },
    text: "10 of 10 delegations",
  },
  {
    args: count("8", "3"),
    exit: limit,
    json: {
      allowed: false,
      code: "TOO_MANY_DELEGATIONS",
      message: "Too many delegations (11). Maximum: 10",
    },
    text: "Maximum allowed: 10",
  },
  { args: count("0", "100", "100"), exit: completed, json: { allowed: true }, text: "100 of 100" },
  {
    args: path("orchestrator,implement,planner", "researcher"),
    exit: completed,
    json: { allowed: true, child_depth: 2, code: null },
    text: "orchestrator → implement → planner → researcher is depth 2 of 3",
  },
  {
    args: path("a,b,c,d", "b", "2"),
    exit: limit,
    json: {
      allowed: false,
      child_depth: 3,
      code: "CYCLE_DETECTED",
      codes: ["CYCLE_DETECTED", "MAX_DEPTH_EXCEEDED"],
      message: "Cycle detected: a → b → c → d → b",
    },
    text: "✖ MAX_DEPTH_EXCEEDED  Max delegation depth (2) exceeded",
  },
  {
    args: path("a,b,c,d", "e", "2"),
    exit: limit,
    json: { allowed: false, code: "MAX_DEPTH_EXCEEDED" },
    text: "Max delegation depth (2) exceeded: a → b → c → d → e",
  },
  {
    args: cycle('[["A","B"],["B","C"]]', "C,A"),
    exit: limit,
    json: { cycle: true, code: "CYCLE_DETECTED" },
    text: "C → A would close a cycle",
  },
  {
    args: cycle('[["A","B"]]', "A,C"),
    exit: completed,
    json: { cycle: false, code: null },
    text: "A → C closes no cycle",
  },
  { args: cycle("[]", "A,A"), exit: limit, json: { cycle: true }, text: "CYCLE_DETECTED" },
];

/** Covers R24, R116–R118, R138, C7, C20 and C25 at the command line. */
const textCases: readonly CommandCase[] = [
  {
    args: ["check", "description", "Write the login form"],
    exit: completed,
    json: { safe: true, code: null },
    text: "✔ safe description",
  },
  {
    args: ["check", "description", "run $(id) in ../x"],
    exit: limit,
    json: {
      safe: false,
      code: "SUSPICIOUS_CHARACTERS",
      codes: ["SUSPICIOUS_CHARACTERS", "SUSPICIOUS_PATH"],
    },
    text: "✖ SUSPICIOUS_PATH",
  },
  {
    args: ["check", "description", "x".repeat(501)],
    exit: limit,
    json: { safe: false, code: "DESCRIPTION_TOO_LONG" },
    text: "max 500 chars",
  },
  {
    args: ["check", "description", ""],
    exit: limit,
    json: { safe: false, code: "EMPTY_DESCRIPTION" },
    text: "empty",
  },
  { args: ["check", "description", "--", "-x"], exit: completed, json: { safe: true }, text: "✔" },
  { args: ["check", "description", "--", "--json"], exit: completed, json: { safe: true }, text: "✔" },
  {
    args: ["check", "session", "sess_1766779200_a1b2c3"],
    exit: completed,
    json: { valid: true, code: null },
    text: "well-formed",
  },
  { args: ["check", "session", "sess_20251226_abc123"], exit: completed, json: { valid: true }, text: "✔" },
  {
    args: ["check", "session", "sess_1_x"],
    exit: failed,
    json: { valid: false, code: "INVALID_SESSION_ID" },
    text: '"sess_1_x" is not a session id',
  },
  {
    args: ["check", "range", "343-345, 337 then tidy up"],
    exit: completed,
    json: { numbers: [343, 344, 345, 337], rest: "then tidy up", error: null },
    text: "tasks 343, 344, 345, 337; rest: then tidy up",
  },
  { args: ["check", "range", "all"], exit: completed, json: { all: true, error: null }, text: "tasks all" },
  ...rangeErrors([
    ["345-343", "INVALID_RANGE"],
    ["12x", "INVALID_TASK_NUMBER"],
    ["-5", "INVALID_TASK_NUMBER"],
    ["tidy up", "NO_TASK_NUMBER"],
    ["", "NO_TASK_NUMBER"],
    ["1-5000", "RANGE_TOO_LARGE"],
  ]),
  {
    args: ["check", "marker", "[IN PROGRESS]"],
    exit: completed,
    json: { status: "implementing" },
    text: "implementing",
  },
  {
    args: ["check", "marker", "[DONE-ISH]"],
    exit: failed,
    json: { status: null, code: "UNKNOWN_MARKER" },
    text: "✖ UNKNOWN_MARKER",
  },
];

function rangeErrors(pairs: readonly (readonly [string, string])[]): CommandCase[] {
  return pairs.map(([text, error]) => ({
    args: ["check", "range", text],
    exit: failed,
    json: { numbers: [], error, code: error },
    text: `✖ ${error}`,
  }));
}

/** Covers R32, R36, R52, R53, R57, R161–R163 and R67 at the command line. */
const fileCases: readonly CommandCase[] = [
  {
    args: ["check", "return", "return.json"],
    files: { "return.json": goodReturnText },
    exit: completed,
    json: { valid: true, codes: [], code: null, status: "completed" },
    text: "✔ valid return: completed",
  },
  {
    args: ["check", "return", "-"],
    input: goodReturnText,
    exit: completed,
    json: { valid: true },
    text: "✔",
  },
  {
    args: ["check", "return", "-", "--session", "sess_1766779200_zzzzzz"],
    input: goodReturnText,
    exit: failed,
    json: { valid: false, codes: ["SESSION_MISMATCH"] },
    text: "Session ID mismatch: sess_1766779200_a1b2c3 != sess_1766779200_zzzzzz",
  },
  {
    args: ["check", "return", "-", "--root", "."],
    input: goodReturnText,
    exit: failed,
    json: { valid: false, codes: ["ARTIFACT_MISSING"] },
    text: "Artifact does not exist: src/parser.ts",
  },
  {
    args: ["check", "return", "-", "--root", "."],
    input: goodReturnText,
    files: { "src/parser.ts": "" },
    exit: failed,
    json: { valid: false, codes: ["ARTIFACT_EMPTY"] },
    text: "✖ ARTIFACT_EMPTY",
  },
  {
    args: ["check", "return", "-", "--root", "."],
    input: goodReturnText,
    files: { "src/parser.ts": "export {};\n" },
    exit: completed,
    json: { valid: true },
    text: "✔",
  },
  {
    args: ["check", "return", "-"],
    input: longSummary,
    exit: failed,
    json: { valid: false, codes: ["SUMMARY_TOO_LONG"] },
    text: "Summary too long (max 500 chars)",
  },
  {
    args: ["check", "return", "-"],
    input: "I am done!",
    exit: failed,
    json: { valid: false, codes: ["NOT_JSON"], message: "Cannot parse return as JSON" },
    text: "✖ NOT_JSON",
  },
  {
    args: ["check", "return", "-"],
    input: "",
    exit: failed,
    json: { codes: ["NOT_JSON"] },
    text: "NOT_JSON",
  },
  {
    args: ["check", "return", "-"],
    input: '{"status":"completed","summary":"Done. Twice."',
    exit: failed,
    json: { valid: false, codes: ["TRUNCATED"] },
    text: "✖ TRUNCATED",
  },
  {
    args: ["check", "return", "-"],
    input: `"${"x".repeat(1024 * 1024)}"`,
    exit: failed,
    json: { valid: false, codes: ["TOO_LARGE"] },
    text: "✖ TOO_LARGE",
  },
  {
    args: ["check", "todos", "todos.json"],
    files: { "todos.json": JSON.stringify([todo]) },
    exit: completed,
    json: { valid: true, codes: [] },
    text: "✔ valid list: 1 task",
  },
  {
    args: ["check", "todos", "-"],
    input: JSON.stringify({ todos: [{ ...todo, status: "delegated" }] }),
    exit: failed,
    json: { valid: false, codes: ["MISSING:delegated_to", "MISSING:acceptance_criteria"] },
    text: "must have 'acceptance_criteria' and 'delegated_to' fields",
  },
  {
    args: ["check", "todos", "-"],
    input: JSON.stringify([{ ...todo, status: "doing", content: "" }]),
    exit: failed,
    json: { valid: false, codes: ["INVALID_STATUS", "MISSING:content"] },
    text: "✖ INVALID_STATUS",
  },
  {
    args: ["check", "todos", "-"],
    input: "{",
    exit: failed,
    json: { valid: false, codes: ["NOT_JSON"] },
    text: "NOT_JSON",
  },
];

export const checkCases: readonly CommandCase[] = [...limitCases, ...textCases, ...fileCases];

const badNumbers = ["x", "-1", "1.5", "1e3", "0x1", "+1", "", " 1", "99999999999999999999"];

export const checkErrorCases: readonly ErrorCase[] = [
  usageCase(["check"], "ambit check needs a subcommand"),
  usageCase(["check", "dept"], "Did you mean depth?"),
  usageCase(["check", "depth", "--caller", "1"], "--max is required"),
  usageCase(["check", "depth", "--max", "1"], "--caller is required"),
  usageCase(["check", "depth", "--caller", "1", "--maxx", "2"], "Did you mean --max?"),
  usageCase(["check", "depth", "--caller"], "option '--caller <n>' argument missing"),
  usageCase([...depth("1", "2"), "extra"], "too many arguments"),
  ...badNumbers.map((text) => usageCase(depth(text, "2"), "--caller must be a whole number")),
  ...badNumbers.map((text) => usageCase(depth("1", text), "--max must be a whole number")),
  usageCase(budget("x", "1"), "--parent must be a whole number"),
  usageCase(budget("1", "-2"), "--child must be a whole number"),
  usageCase(count("x", "1"), "--existing must be a whole number"),
  usageCase(count("1", "1.5"), "--requested must be a whole number"),
  { args: depth("1", "4"), exit: usage, code: "CONFIG_OUT_OF_RANGE", text: "--max is 4; the hard cap is 3" },
  { args: path("a,b", "c", "4"), exit: usage, code: "CONFIG_OUT_OF_RANGE", text: "the hard cap is 3" },
  { args: count("1", "1", "101"), exit: usage, code: "CONFIG_OUT_OF_RANGE", text: "the hard cap is 100" },
  usageCase(path("a,,b", "c"), '--path "a,,b" has an empty name'),
  usageCase(path("", "c"), "--path"),
  usageCase(path("a,b", "c,d"), "--target must be one agent name"),
  usageCase(path("a,b", " "), "--target"),
  ...["{}", "[[1,2]]", '[["A"]]', '[["A","B","C"]]', "A-B", "null", ""].map((edges) =>
    usageCase(cycle(edges, "A,B"), "--edges must be a JSON list of [from, to] pairs"),
  ),
  usageCase(cycle("[]", "A"), "--add must be two names"),
  usageCase(cycle("[]", "A,B,C"), "--add must be two names"),
  usageCase(["check", "description"], "missing required argument 'text'"),
  usageCase(["check", "description", "-x"], 'Put -- before text that starts with "-"'),
  usageCase(["check", "description", "one", "two"], "too many arguments"),
  usageCase(["check", "session"], "missing required argument 'id'"),
  usageCase(["check", "return"], "missing required argument 'file'"),
  {
    args: ["check", "return", "nope.json"],
    exit: usage,
    code: "INPUT_UNREADABLE",
    text: "nope.json does not exist",
  },
  { args: ["check", "todos", "."], exit: usage, code: "INPUT_UNREADABLE", text: ". is a directory" },
  {
    args: ["check", "return", "-", "--root", "nope"],
    input: goodReturnText,
    exit: usage,
    code: "INPUT_UNREADABLE",
    text: "--root nope is not a directory",
  },
];
