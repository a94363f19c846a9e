import { findAgentProgram } from "../adapters/agent-programs.ts";
import type { FieldUse } from "./agent-definition.ts";
import type { DefinitionFolder } from "./folders.ts";
import { readItemList } from "./values.ts";

export interface ReadTools {
  /** The tools the agent may use, in its program's words; undefined for all. */
  readonly tools: readonly string[] | undefined;
  readonly uses: readonly FieldUse[];
}

const FIELDS: readonly string[] = ["tools", "disallowedTools", "allowed-tools"];

/**
 * Which tools a definition leaves its agent. A program that accepts no such list is held only by its workspace and the
 * limits, and the field is reported to have no effect.
 */
export function readToolList(
  { source }: DefinitionFolder,
  adapter: string,
  fields: Readonly<Record<string, unknown>>,
): ReadTools {
  const named = FIELDS.filter((field) => fields[field] !== undefined);
  if (named.length === 0) return { tools: undefined, uses: [] };
  const workerTools = findAgentProgram(adapter)?.definitions.workerTools;
  if (workerTools === undefined || (source !== adapter && source !== "ambit")) {
    const why = `${adapter} takes no such list; only its workspace and the limits hold it`;
    return { tools: undefined, uses: named.map((field) => ({ field, honoured: false, why })) };
  }
  const wanted =
    fields["tools"] === undefined ? workerTools : readItemList(fields["tools"]).map(readPlainToolName);
  const denied = new Set(readItemList(fields["disallowedTools"]).map(readPlainToolName));
  const tools = (wanted.includes("*") ? workerTools : wanted).filter(
    (tool) => workerTools.includes(tool) && !denied.has(tool),
  );
  const refused = wanted.filter((tool) => tool !== "*" && !workerTools.includes(tool));
  return { tools, uses: named.map((field) => describeToolField(field, tools, refused)) };
}

function describeToolField(field: string, tools: readonly string[], refused: readonly string[]): FieldUse {
  if (field === "allowed-tools") return { field, honoured: false, why: "a field of skills, not of agents" };
  const isCut = field === "tools" && refused.length > 0;
  const without = isCut ? `; not for workers: ${refused.slice(0, 10).join(", ")}` : "";
  return { field, honoured: true, why: `it gets ${tools.join(", ") || "none"}${without}` };
}

/** A worker's command line cannot express `Bash(git *)`, so it counts as `Bash`. */
function readPlainToolName(tool: string): string {
  return tool.split("(", 1)[0]?.trim() ?? tool;
}
