import { isRecord } from "../../base/json.ts";
import type { OfferedTool } from "../apis/wire-api.ts";
import {
  listActions,
  type ModelAction,
  type ModelStep,
  type ScriptedReturn,
} from "../script/model-script.ts";
import { fillValue, fillPlaceholders, type FillFacts } from "./fill-text.ts";
import { buildFullName, findOfferedTool } from "./find-tool.ts";
import {
  planAction,
  type PlannedCall,
  type Values,
  planShellCall,
  wrapsShellCall,
  writeCommand,
} from "./plan-calls.ts";
import type { PromptFacts } from "./prompt-facts.ts";

export interface PlannedStep {
  readonly text: string;
  readonly calls: readonly Extract<PlannedCall, { kind: "call" }>[];
  /** The tools that the script needs and the request does not offer. */
  readonly problem?: string;
}

const SUBMIT_TOOL = "submit_return";

/** One step as text and calls of tools that the request offers. */
export function planStep(step: ModelStep, facts: FillFacts, tools: readonly OfferedTool[]): PlannedStep {
  const text = fillPlaceholders(step.text ?? "", facts);
  const planned = listActions(step).map((action) => planAction(fillAction(action, facts), tools));
  if (step.return !== undefined) {
    const handedIn = planReturn(fillReturn(step.return, facts), facts, tools);
    if (handedIn.kind === "say") return { text: text + handedIn.text, calls: [] };
    planned.push(handedIn);
  }
  const missing = planned.flatMap((call) => (call.kind === "missing" ? [call.name] : []));
  if (missing.length > 0) return reportMissingTools(missing, tools);
  return { text, calls: planned.flatMap((call) => (call.kind === "call" ? [call] : [])) };
}

/** Sent as text, so that it also appears in the agent's own log. */
function reportMissingTools(missing: readonly string[], tools: readonly OfferedTool[]): PlannedStep {
  const offered = tools.map(buildFullName).join(", ");
  const problem = `The script needs ${missing.join(", ")}; offered: ${offered === "" ? "nothing" : offered}.`;
  return { text: problem, calls: [], problem };
}

function fillAction(action: ModelAction, facts: FillFacts): ModelAction {
  const { write, read, sh, delegate, call } = action;
  return {
    ...(write === undefined
      ? {}
      : { write: { path: fillPlaceholders(write.path, facts), text: fillPlaceholders(write.text, facts) } }),
    ...(read === undefined ? {} : { read: fillPlaceholders(read, facts) }),
    ...(sh === undefined ? {} : { sh: fillPlaceholders(sh, facts) }),
    ...(delegate === undefined ? {} : { delegate: fillValues(delegate, facts) }),
    ...(call === undefined
      ? {}
      : { call: { tool: call.tool, arguments: fillValues(call.arguments, facts) } }),
  };
}

function fillReturn(scripted: ScriptedReturn, facts: FillFacts): ScriptedReturn {
  return {
    ...scripted,
    summary: fillPlaceholders(scripted.summary, facts),
    artifacts: scripted.artifacts.map((artifact) => fillValue(artifact, facts)),
    errors: scripted.errors.map((error) => fillValue(error, facts)),
    metadata: fillValues(scripted.metadata, facts),
  };
}

function fillValues(values: Values, facts: FillFacts): Record<string, unknown> {
  const filled = fillValue(values, facts);
  return isRecord(filled) ? filled : {};
}

type PlannedReturn = PlannedCall | { readonly kind: "say"; readonly text: string };

/**
 * Hands in a return that is valid for the identity in the prompt. By default it uses the tool for returns, otherwise
 * the file that the prompt names, otherwise its last message.
 */
function planReturn(
  scripted: ScriptedReturn,
  facts: PromptFacts,
  tools: readonly OfferedTool[],
): PlannedReturn {
  const value = buildReturnValue(scripted, facts);
  switch (chooseReturnWay(scripted, facts, tools)) {
    case "submit":
      return planSubmitCall(value, tools);
    case "file":
      return planReturnFile(facts.returnFile, JSON.stringify(value, null, 2), tools);
    default:
      return { kind: "say", text: JSON.stringify(value) };
  }
}

function chooseReturnWay({ via }: ScriptedReturn, facts: PromptFacts, tools: readonly OfferedTool[]): string {
  if (via !== "auto") return via;
  if (findOfferedTool(SUBMIT_TOOL, tools) !== undefined) return "submit";
  return facts.returnFile === undefined ? "text" : "file";
}

function buildReturnValue(scripted: ScriptedReturn, { identity }: PromptFacts): Values {
  const { via: _, metadata, ...fields } = scripted;
  return { ...fields, metadata: { ...identity, ...metadata } };
}

function planSubmitCall(value: Values, tools: readonly OfferedTool[]): PlannedCall {
  const tool = findOfferedTool(SUBMIT_TOOL, tools);
  if (tool === undefined) return { kind: "missing", name: SUBMIT_TOOL };
  return { kind: "call", tool, arguments: wrapsShellCall(tool, "return") ? { return: value } : value };
}

/** Prefers the shell, because file tools refuse to write outside the working folder. */
function planReturnFile(path: string | undefined, text: string, tools: readonly OfferedTool[]): PlannedCall {
  if (path === undefined) return { kind: "missing", name: "a return file in the prompt" };
  const shell = planShellCall(writeCommand({ path, text }), tools);
  return shell.kind === "call" ? shell : planAction({ write: { path, text } }, tools);
}
