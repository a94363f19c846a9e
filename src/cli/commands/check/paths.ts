import { judgeAgentPath } from "../../../guards/agent-path.ts";
import { closesCycle } from "../../../guards/cycle.ts";
import type { CommandContext, CommandOutcome, Invocation } from "../../command-module.ts";
import { requiredOption, usage } from "../../option-values.ts";
import { excerpt } from "../../../base/visible-text.ts";
import { readMaxDepth } from "./limits.ts";
import { verdictOutcome } from "../../verdict-outcome.ts";

export function checkPath(context: CommandContext, invocation: Invocation): CommandOutcome {
  const path = readNames(invocation, "path");
  const [target, ...others] = readNames(invocation, "target");
  if (target === undefined || others.length > 0) {
    throw usage("--target must be one agent name", "Give --target a name such as researcher.");
  }
  const maxDepth = readMaxDepth(invocation);
  const { allowed, childDepth, failures } = judgeAgentPath(path, target, maxDepth);
  const passed = `${[...path, target].join(" → ")} is depth ${childDepth} of ${maxDepth}`;
  return verdictOutcome({ fields: { allowed, child_depth: childDepth }, passed, failures }, context);
}

export function checkCycle(context: CommandContext, invocation: Invocation): CommandOutcome {
  const edges = readEdges(requiredOption(invocation, "edges"));
  const [from, to, ...others] = readNames(invocation, "add");
  if (from === undefined || to === undefined || others.length > 0) {
    throw usage("--add must be two names", "Give --add as from,to: for example --add C,A.");
  }
  const cycle = closesCycle(edges, [from, to]);
  const line = `${from} → ${to}`;
  const failure = {
    code: "CYCLE_DETECTED",
    message: `${line} would close a cycle: ${to} already leads to ${from}`,
  };
  return verdictOutcome(
    { fields: { cycle }, passed: `${line} closes no cycle`, failures: cycle ? [failure] : [] },
    context,
  );
}

/** Comma-separated and none empty: `a,,b` is more likely a slip than a name. */
function readNames(invocation: Invocation, option: string): readonly string[] {
  const text = requiredOption(invocation, option);
  const names = text.split(",").map((name) => name.trim());
  if (names.every((name) => name !== "")) return names;
  throw usage(`--${option} "${excerpt(text)}" has an empty name`, "Separate names by single commas: a,b,c.");
}

type Edge = readonly [string, string];

function readEdges(text: string): readonly Edge[] {
  const value = parseJson(text);
  if (!Array.isArray(value)) throw badEdges(text);
  return value.map((pair: unknown) => {
    if (!Array.isArray(pair) || pair.length !== 2) throw badEdges(text);
    const from: unknown = pair[0];
    const to: unknown = pair[1];
    if (typeof from !== "string" || typeof to !== "string") throw badEdges(text);
    return [from, to] as const;
  });
}

function parseJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    // Reported as what it is: not a list of pairs.
    return undefined;
  }
}

function badEdges(text: string): Error {
  return usage(
    `--edges must be a JSON list of [from, to] pairs of names; got "${excerpt(text)}"`,
    `Quote it for the shell: --edges '[["A","B"]]'.`,
  );
}
