import type { OfferedTool } from "../apis/wire-api.ts";
import type { ScriptedReturn } from "../script/model-script.ts";
import { findOfferedTool } from "./find-tool.ts";
import {
  planAction,
  planShellCall,
  wrapsShellCall,
  writeCommand,
  type PlannedCall,
  type Values,
} from "./plan-calls.ts";
import type { PromptFacts } from "./prompt-facts.ts";

export type PlannedReturn = PlannedCall | { readonly kind: "say"; readonly text: string };

const SUBMIT = "submit_return";

/**
 * Hands in a return that is valid for the identity in the prompt. By default it uses the tool for returns, otherwise
 * the file that the prompt names, otherwise its last message.
 */
export function planReturn(
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
  if (findOfferedTool(SUBMIT, tools) !== undefined) return "submit";
  return facts.returnFile === undefined ? "text" : "file";
}

function buildReturnValue(scripted: ScriptedReturn, { identity }: PromptFacts): Values {
  const { via: _, metadata, ...fields } = scripted;
  return { ...fields, metadata: { ...identity, ...metadata } };
}

function planSubmitCall(value: Values, tools: readonly OfferedTool[]): PlannedCall {
  const tool = findOfferedTool(SUBMIT, tools);
  if (tool === undefined) return { kind: "missing", name: SUBMIT };
  return { kind: "call", tool, arguments: wrapsShellCall(tool, "return") ? { return: value } : value };
}

/** Prefers the shell, because file tools refuse to write outside the working folder. */
function planReturnFile(path: string | undefined, text: string, tools: readonly OfferedTool[]): PlannedCall {
  if (path === undefined) return { kind: "missing", name: "a return file in the prompt" };
  const shell = planShellCall(writeCommand({ path, text }), tools);
  return shell.kind === "call" ? shell : planAction({ write: { path, text } }, tools);
}
