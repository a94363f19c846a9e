import { SCHEMA_LINE } from "../../config/schema-copy.ts";
import { findConfigKey } from "../../contract/config-keys.ts";
import type { TestCommand } from "./detect-project.ts";
import type { ProgramFacts } from "../agents/probe-programs.ts";

export interface ConfigFacts {
  readonly test: TestCommand | undefined;
  readonly agent: string | undefined;
  readonly found: readonly Pick<ProgramFacts, "name" | "version">[];
  /** The settings that the tests need in a fresh workspace. */
  readonly workspace?: WorkspaceNeeds | undefined;
  /** Only what differs from the defaults. */
  readonly isMinimal: boolean;
}

export interface WorkspaceNeeds {
  readonly include: readonly string[];
  readonly setup: string | null;
  readonly pass: readonly string[];
}

/** The text of a new `ambit.yaml`: the detected settings, and the limits most people look for, each with its meaning. */
export function buildConfigText(facts: ConfigFacts): string {
  const parts = [
    [SCHEMA_LINE.trimEnd(), "# Every key is optional: ambit config list shows all of them and who set each."],
    ["version: 1"],
    testPart(facts),
    workspacePart(facts),
    agentPart(facts),
    facts.isMinimal ? [] : limitsPart(),
  ];
  const texts = parts.filter((lines) => lines.length > 0).map((lines) => lines.join("\n"));
  return `${texts.join("\n\n")}\n`;
}

function testPart({ test, isMinimal }: ConfigFacts): readonly string[] {
  if (test === undefined && isMinimal) return [];
  const meaning = `  # ${describe("verification.test")}`;
  if (test === undefined) return ["verification:", meaning, "  test: null # none was found"];
  return ["verification:", `${meaning}; found: ${test.because}`, `  test: ${scalar(test.command)}`];
}

/** Settings without which the tests were seen to end otherwise than in the user's checkout. */
function workspacePart({ workspace }: ConfigFacts): readonly string[] {
  const { include = [], setup = null, pass = [] } = workspace ?? {};
  const list = (items: readonly string[]): string => `[${items.map(quoteItem).join(", ")}]`;
  const lines = [
    ...(include.length === 0 ? [] : [`  # ${describe("workspace.include")}`, `  include: ${list(include)}`]),
    ...(setup === null ? [] : [`  # ${describe("workspace.setup")}`, `  setup: ${scalar(setup)}`]),
    ...(pass.length === 0
      ? []
      : ["  env:", `    # ${describe("workspace.env.pass")}`, `    pass: ${list(pass)}`]),
  ];
  return lines.length === 0 ? [] : ["workspace:", ...lines];
}

function agentPart({ agent, found, isMinimal }: ConfigFacts): readonly string[] {
  if (agent === undefined && isMinimal) return [];
  const meaning = `  # ${describe("agents.default")}; ambit agents list shows them all`;
  const seen = found.map(({ name, version }) => (version === null ? name : `${name} ${version}`)).join(", ");
  const note = seen === "" ? [] : [`  # On the machine that wrote this: ${seen}`];
  return ["agents:", meaning, ...note, `  default: ${agent === undefined ? "null" : scalar(agent)}`];
}

/** A copy of the defaults, so that they can be changed where they are read. */
function limitsPart(): readonly string[] {
  const lines = (keys: readonly string[], indent: string): readonly string[] =>
    keys.flatMap((key) => [
      `${indent}# ${describe(key)}${capOf(key)}`,
      `${indent}${key.slice(key.lastIndexOf(".") + 1)}: ${JSON.stringify(findConfigKey(key)?.default ?? null)}`,
    ]);
  return [
    "delegation:",
    ...lines(["delegation.maxDepth", "delegation.maxDelegationsPerStory"], "  "),
    "  parallel:",
    ...lines(["delegation.parallel.maxConcurrent", "delegation.parallel.timeoutSeconds"], "    "),
    "  cost:",
    "    # Without a budget, only time and tool calls limit a story; 10 stops each at ten dollars",
    ...lines(["delegation.cost.perStoryUsd", "delegation.cost.autoApproveThreshold"], "    "),
  ];
}

function describe(key: string): string {
  return findConfigKey(key)?.description ?? key;
}

function capOf(key: string): string {
  const cap = findConfigKey(key)?.hardCap;
  return cap === undefined || cap >= 1_000_000_000 ? "" : `, at most ${cap}`;
}

/** Plain where YAML reads it as the same text, else quoted; a JSON string is a YAML one. */
function scalar(text: string): string {
  const isPlain = /^[A-Za-z][A-Za-z0-9 ./_-]{0,200}$/.test(text) && text === text.trim();
  return isPlain && !KEYWORDS.has(text.toLowerCase()) ? text : JSON.stringify(text);
}

/** Inside a list, more characters have a meaning. */
function quoteItem(text: string): string {
  return /^[A-Za-z_./][\w./-]*$/.test(text) && !KEYWORDS.has(text.toLowerCase())
    ? text
    : JSON.stringify(text);
}

const KEYWORDS: ReadonlySet<string> = new Set(["true", "false", "null", "yes", "no", "on", "off", "y", "n"]);
