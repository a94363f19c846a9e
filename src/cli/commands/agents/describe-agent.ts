import type { FieldUse } from "../../../agents/definitions.ts";
import { describeProgram } from "../setup/probe-programs.ts";
import type { KnownAgent } from "./read-agents.ts";

const TOOL_FIELDS: ReadonlySet<string> = new Set(["tools", "disallowedTools"]);

/** A field counts only where the adapter can make it count. */
export function fieldUses({ fields, adapter }: KnownAgent): readonly FieldUse[] {
  const canHold = adapter?.capabilities.tools === true;
  return fields.map((use) =>
    TOOL_FIELDS.has(use.field) && use.honoured && !canHold
      ? {
          field: use.field,
          honoured: false,
          why: "its adapter takes no list of tools; the workspace bounds it",
        }
      : use,
  );
}

/** One agent as other programs read it. */
export function wireAgent(agent: KnownAgent): Readonly<Record<string, unknown>> {
  const { name, source, file, definition, problem, notes, shadowedBy, isDefault, program } = agent;
  return {
    name,
    source,
    file: file === "" ? null : file,
    default: isDefault,
    usable: definition !== undefined && agent.adapter !== undefined,
    problem: problem ?? null,
    shadowed_by: shadowedBy ?? null,
    description: definition?.description ?? null,
    adapter: definition?.adapter ?? null,
    model: definition?.model ?? null,
    isolation: definition?.isolation ?? null,
    command: definition?.command ?? [],
    program: program === undefined ? null : wireProgram(program),
    fields: fieldUses(agent),
    notes,
  };
}

function wireProgram({
  name,
  path,
  version,
  tested,
  range,
  loggedIn,
  next,
}: NonNullable<KnownAgent["program"]>) {
  return { name, path, installed: path !== null, version, tested, range, logged_in: loggedIn, next };
}

export function programText({ program, definition }: KnownAgent): string {
  if (program === undefined) return "-";
  // Whatever the definition names itself is never asked for a version.
  return definition?.command.length === 0 || program.path === null ? describeProgram(program) : "installed";
}

/** Where it comes from, in a word a person can open. */
export function originText({ file, source, shadowedBy }: KnownAgent): string {
  if (shadowedBy !== undefined) return `${file} (hidden by ${shadowedBy})`;
  return source === "built-in" ? "built in" : file;
}
