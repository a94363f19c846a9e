import { isRecord } from "../apis/json-fields.ts";
import type { OfferedTool } from "../apis/wire-api.ts";
import {
  listActions,
  type ModelAction,
  type ModelStep,
  type ScriptedReturn,
} from "../script/model-script.ts";
import { fillValue, fillPlaceholders, type FillFacts } from "./fill-text.ts";
import { buildFullName } from "./find-tool.ts";
import { planAction, type PlannedCall, type Values } from "./plan-calls.ts";
import { planReturn } from "./plan-return.ts";

export interface PlannedStep {
  readonly text: string;
  readonly calls: readonly Extract<PlannedCall, { kind: "call" }>[];
  /** The tools that the script needs and the request does not offer. */
  readonly problem?: string;
}

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
