import type { FieldUse } from "./agent-definition.ts";
import type { DefinitionFolder } from "./folders.ts";
import { listOf } from "./values.ts";

export interface ReadTools {
  /** What the agent may use, in its program's words; undefined for everything. */
  readonly tools: readonly string[] | undefined;
  readonly uses: readonly FieldUse[];
}

/** Tools of Claude Code that a worker may have at all; those that start agents or wait for people are not among them. */
const CLAUDE_TOOLS: readonly string[] = [
  "Bash",
  "Read",
  "Edit",
  "Write",
  "NotebookEdit",
  "Grep",
  "Glob",
  "WebFetch",
  "WebSearch",
];
const FIELDS: readonly string[] = ["tools", "disallowedTools", "allowed-tools"];

/**
 * Which tools a definition leaves its agent. Only Claude Code takes such a list on its command line; for the others a
 * worker's bounds are its workspace and ambit's limits, and the field is said to do nothing.
 */
export function readTools(
  { source }: DefinitionFolder,
  adapter: string,
  fields: Readonly<Record<string, unknown>>,
): ReadTools {
  const named = FIELDS.filter((field) => fields[field] !== undefined);
  if (named.length === 0) return { tools: undefined, uses: [] };
  if (adapter !== "claude" || (source !== "claude" && source !== "ambit")) {
    const why = `${adapter} takes no such list; its workspace and the limits bound it`;
    return { tools: undefined, uses: named.map((field) => ({ field, honoured: false, why })) };
  }
  const wanted = fields["tools"] === undefined ? CLAUDE_TOOLS : listOf(fields["tools"]).map(plainName);
  const denied = new Set(listOf(fields["disallowedTools"]).map(plainName));
  const tools = (wanted.includes("*") ? CLAUDE_TOOLS : wanted).filter(
    (tool) => CLAUDE_TOOLS.includes(tool) && !denied.has(tool),
  );
  return { tools, uses: named.map((field) => describe(field, wanted, tools)) };
}

function describe(field: string, wanted: readonly string[], tools: readonly string[]): FieldUse {
  if (field === "allowed-tools") return { field, honoured: false, why: "a field of skills, not of agents" };
  const left = field === "tools" ? wanted.filter((tool) => tool !== "*" && !CLAUDE_TOOLS.includes(tool)) : [];
  const without = left.length === 0 ? "" : `; not for workers: ${left.slice(0, 10).join(", ")}`;
  return { field, honoured: true, why: `it gets ${tools.join(", ") || "none"}${without}` };
}

/** `Bash(git *)` restricts Bash further than the command line of a worker can; it is Bash here. */
function plainName(tool: string): string {
  return tool.split("(", 1)[0]?.trim() ?? tool;
}
