import { expect } from "vitest";
import { exitCode } from "../../src/contract/exit-code.ts";
import { usageCase, type CommandCase, type ErrorCase } from "./command-case.ts";

const { completed, failed, usage } = exitCode;
const anyText: unknown = expect.stringMatching(/\S/);
const answer = "I propose:\n[delegate:Write the parser:4]\nand [delegate:Test it, all of it:2.5].\n";

/** Covers R1–R3, R5 and R9 at the command line. */
export const directiveCases: readonly CommandCase[] = [
  {
    args: ["directive", "parse", "answer.md", "--parent", "US-007"],
    files: { "answer.md": answer },
    exit: completed,
    json: {
      delegations: [
        {
          description: "Write the parser",
          estimated_hours: 4,
          parent_story_id: "US-007",
          child_story_id: "US-007-DEL-001",
          depth: 1,
        },
        {
          description: "Test it, all of it",
          estimated_hours: 2.5,
          parent_story_id: "US-007",
          child_story_id: "US-007-DEL-002",
          depth: 1,
        },
      ],
      errors: [],
      warnings: [],
    },
    text: "✔ US-007-DEL-001  4 h  depth 1  Write the parser",
  },
  {
    args: ["directive", "parse", "-", "--parent", "US-1", "--depth", "1"],
    input: "[delegate:x:3]",
    exit: completed,
    json: { delegations: [expect1("x", 2)] },
    text: "depth 2  x",
  },
  {
    args: ["directive", "parse", "-", "--parent", "US-1"],
    input: "[delegate:no hours] [delegate::3] [delegate:x:soon] [delegate:fine:3]",
    exit: failed,
    json: {
      delegations: [expect1("fine", 1)],
      errors: [
        { code: "INVALID_SYNTAX", fragment: "[delegate:no hours]" },
        { code: "EMPTY_DESCRIPTION", fragment: "[delegate::3]" },
        { code: "INVALID_HOURS", fragment: "[delegate:x:soon]" },
      ],
    },
    text: "✖ INVALID_HOURS  [delegate:x:soon]",
  },
  {
    args: ["directive", "parse", "-", "--parent", "US-1"],
    input: "nothing to hand over",
    exit: completed,
    json: { delegations: [], errors: [] },
    text: "no directives",
  },
  {
    args: ["directive", "validate", "[delegate:Write the parser:4]"],
    exit: completed,
    json: { valid: true },
    text: "✔ one well-formed directive",
  },
  {
    args: ["directive", "validate", "[delegate:Write the parser]"],
    exit: failed,
    json: { valid: false },
    text: "✖ not exactly one [delegate:description:hours]",
  },
  { args: ["directive", "validate", ""], exit: failed, json: { valid: false }, text: "✖" },
  {
    args: ["directive", "count", "-"],
    input: answer,
    exit: completed,
    json: { count: 2, invalid: 0 },
    text: "2 well-formed, 0 malformed",
  },
  {
    args: ["directive", "count", "-"],
    input: `${answer}[delegate:x]`,
    exit: failed,
    json: { count: 2, invalid: 1 },
    text: "2 well-formed, 1 malformed",
  },
];

function expect1(description: string, depth: number): Readonly<Record<string, unknown>> {
  return {
    description,
    estimated_hours: 3,
    parent_story_id: "US-1",
    child_story_id: "US-1-DEL-001",
    depth,
  };
}

export const directiveErrorCases: readonly ErrorCase[] = [
  usageCase(["directive"], "ambit directive needs a subcommand"),
  usageCase(["directive", "prase", "-"], "Did you mean parse?"),
  usageCase(["directive", "parse"], "missing required argument 'file'"),
  usageCase(["directive", "parse", "-"], "--parent is required"),
  usageCase(["directive", "parse", "-", "--parent", ""], "is not a story id"),
  usageCase(["directive", "parse", "-", "--parent", "../x"], '--parent "../x" is not a story id'),
  usageCase(
    ["directive", "parse", "-", "--parent", "US-1", "--depth", "-1"],
    "--depth must be a whole number",
  ),
  usageCase(
    ["directive", "parse", "-", "--parent", "US-1", "--depth", "two"],
    "--depth must be a whole number",
  ),
  usageCase(["directive", "validate"], "missing required argument 'text'"),
  usageCase(["directive", "count"], "missing required argument 'file'"),
  {
    args: ["directive", "count", "nope.md"],
    exit: usage,
    code: "INPUT_UNREADABLE",
    text: "nope.md does not exist",
  },
  { args: ["directive", "count", "."], exit: usage, code: "INPUT_UNREADABLE", text: ". is a directory" },
];

export const frameCases: readonly CommandCase[] = [
  {
    args: [],
    exit: completed,
    json: { help: anyText },
    text: "Ambit runs coding agents as workers, within limits that hold.",
  },
  { args: ["--help"], exit: completed, json: { help: anyText }, text: "Usage: ambit [flags] <command>" },
  { args: ["-h"], exit: completed, json: { help: anyText }, text: "Usage: ambit [flags] <command>" },
  { args: ["help"], exit: completed, json: { help: anyText }, text: "Usage: ambit [flags] <command>" },
  { args: ["help", "--all"], exit: completed, json: { help: anyText }, text: "See what happens" },
  { args: ["help", "run", "--all"], exit: completed, json: { help: anyText }, text: "--prove-red" },
  { args: ["help", "check"], exit: completed, json: { help: anyText }, text: "Usage: ambit check" },
  {
    args: ["help", "check", "depth"],
    exit: completed,
    json: { help: anyText },
    text: "Usage: ambit check depth",
  },
  { args: ["check", "depth", "-h"], exit: completed, json: { help: anyText }, text: "--caller <n>" },
  { args: ["version"], exit: completed, json: { version: anyText }, text: "." },
  { args: ["-V"], exit: completed, json: { version: anyText }, text: "." },
  { args: ["check", "--version"], exit: completed, json: { version: anyText }, text: "." },
  ...["exit-codes", "limits", "contract", "env"].map((topic) => ({
    args: ["help", topic],
    exit: completed,
    json: { topic, help: anyText },
    text: topic === "contract" ? "RETURN FORMAT" : "\n",
  })),
];

export const frameErrorCases: readonly ErrorCase[] = [
  usageCase(["chek"], "Did you mean check?"),
  usageCase(["chek", "--help"], "Did you mean check?"),
  usageCase(["check", "dept", "--help"], "Did you mean depth?"),
  usageCase(["zzz"], "unknown command 'zzz'"),
  usageCase([""], "unknown command ''"),
  usageCase(["--bogus"], "unknown option '--bogus'"),
  usageCase(["--jsn"], "Did you mean --json?"),
  usageCase(["help", "exit-code"], "Topics: exit-codes, limits, contract, env"),
  usageCase(["help", "limits", "more"], 'no command or help topic "limits more"'),
  usageCase(["help", "check", "dept"], "Did you mean depth?"),
  usageCase(["version", "now"], "too many arguments"),
  usageCase(["stop"], "@last means the newest story: ambit stop @last. Run ambit stop --help."),
  usageCase(["reject"], "ambit reject @last"),
  usageCase(["run"], "missing required argument 'story'"),
  usageCase(
    ["run", "--accept", "`npm test` passes", "Fix it"],
    "--accept takes every word after it: put the story before it.",
  ),
  usageCase(["run", " "], "The story is empty"),
  usageCase(["run", "Fix", "the", "sum"], "Put it in quotes: 'Fix the sum'."),
  usageCase(["run", "Fix", "the", "sum", "--agent", "claude"], "Put it in quotes: 'Fix the sum'."),
  usageCase(["quick", "Fix", "the", "sum", "--", "true"], "Put it in quotes: 'Fix the sum'."),
  usageCase(["quick", ""], "Say what is to be done: ambit quick 'Fix the failing test'."),
  usageCase(["delegate", "x", "--check", "echo `date`"], "contains a backtick"),
  usageCase(["--reporter", "fancy", "version"], "Allowed choices are auto, tree, plain, agent, github, json"),
  usageCase(["version", "-C"], "option '-C <dir>' argument missing"),
  usageCase(["check", "session", "x", "-C", "nowhere"], "-C nowhere"),
  // In a script an empty argument is a variable that was never set; it must not mean the newest story.
  ...["stop", "attach", "retry", "resume", "merge", "diff", "explain", "status", "tree", "cost", "audit"].map(
    (name) => usageCase([name, ""], "is empty"),
  ),
];

export const configCases: readonly CommandCase[] = [
  {
    args: ["config", "get", "delegation.maxDepth"],
    exit: completed,
    json: { key: "delegation.maxDepth", value: 2, origin: "default", layer: "default" },
    text: "2\n",
  },
  {
    args: ["config", "get", "delegation.maxDepth"],
    files: { "ambit.yaml": "delegation:\n  maxDepth: 1\n" },
    exit: completed,
    json: { value: 1, origin: "ambit.yaml:2", layer: "project" },
    text: "1\n",
  },
  {
    args: ["config", "get", "delegation.maxDepth"],
    files: { "ambit.yaml": "delegation:\n  maxDepth: 1\n" },
    environment: { MAX_DELEGATION_DEPTH: "3" },
    exit: completed,
    json: { value: 3, origin: "MAX_DELEGATION_DEPTH", layer: "environment" },
    text: "3\n",
  },
  {
    args: ["config", "get", "delegation.maxDepth", "--config", "other.yaml"],
    files: { "ambit.yaml": "delegation:\n  maxDepth: 1\n", "other.yaml": "delegation: { maxDepth: 0 }\n" },
    exit: completed,
    json: { value: 0, layer: "project" },
    text: "0\n",
  },
  {
    args: ["config", "check"],
    exit: completed,
    json: { valid: true, problems: [], code: null },
    text: "✔ the configuration is valid",
  },
  {
    args: ["config", "check"],
    files: { "ambit.yaml": "delegation:\n  maxDepth: 9\n  maxDept: 1\n" },
    exit: usage,
    json: { valid: false, code: "CONFIG_OUT_OF_RANGE", codes: ["CONFIG_OUT_OF_RANGE", "UNKNOWN_CONFIG_KEY"] },
    text: "ambit.yaml:2: delegation.maxDepth is 9; the hard cap is 3",
  },
  {
    args: ["config", "check"],
    environment: { MAX_DELEGATION_DEPTH: "two" },
    exit: usage,
    json: { valid: false, code: "CONFIG_INVALID" },
    text: "MAX_DELEGATION_DEPTH",
  },
];

export const configErrorCases: readonly ErrorCase[] = [
  usageCase(["config"], "ambit config needs a subcommand"),
  usageCase(["config", "lst"], "Did you mean list?"),
  usageCase(["config", "get"], "missing required argument 'key'"),
  usageCase(["config", "set", "delegation.maxDepth"], "missing required argument 'value'"),
  usageCase(
    ["config", "set", "a", "1", "--user", "--config", "x.yaml"],
    "--user and --config name two files",
  ),
  {
    args: ["config", "get", "maxDepth"],
    exit: usage,
    code: "UNKNOWN_CONFIG_KEY",
    text: "did you mean delegation.maxDepth?",
  },
  {
    args: ["config", "set", "delegation.maxDept", "1"],
    exit: usage,
    code: "UNKNOWN_CONFIG_KEY",
    text: "did you mean delegation.maxDepth?",
  },
  {
    args: ["config", "set", "delegation.maxDepth", "4"],
    exit: usage,
    code: "CONFIG_OUT_OF_RANGE",
    text: "the hard cap is 3",
  },
  {
    args: ["config", "set", "delegation.maxDepth", "-1"],
    exit: usage,
    code: "CONFIG_OUT_OF_RANGE",
    text: "the least is 0",
  },
  {
    args: ["config", "set", "delegation.maxDepth", "two"],
    exit: usage,
    code: "CONFIG_INVALID",
    text: "expected a whole number",
  },
  {
    args: ["config", "list"],
    files: { "ambit.yaml": "delegation: [1, 2\n" },
    exit: usage,
    code: "CONFIG_INVALID",
    text: "ambit.yaml",
  },
  {
    args: ["config", "list", "--config", "nope.yaml"],
    exit: usage,
    code: "INPUT_UNREADABLE",
    text: "nope.yaml",
  },
];
