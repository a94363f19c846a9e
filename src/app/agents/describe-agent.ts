import * as z from "zod";
import type { FieldUse } from "../../agents/definitions.ts";
import { describeProgram } from "./probe-programs.ts";
import type { KnownAgent } from "./read-agents.ts";
import { copyFields } from "../wire/copy-fields.ts";

/** One agent as other programs read it. */
export const agentSchema = () =>
  z.looseObject({
    name: z.string(),
    source: z.string(),
    file: z.string().nullable().describe("Null when it is built in"),
    default: z.boolean(),
    usable: z.boolean(),
    problem: z.string().nullable(),
    shadowed_by: z.string().nullable().describe("The file of the same name that is used instead"),
    description: z.string().nullable(),
    adapter: z.string().nullable(),
    has_adapter: z.boolean(),
    model: z.string().nullable(),
    isolation: z.string().nullable(),
    command: z.array(z.string()),
    program: z
      .looseObject({
        name: z.string(),
        path: z.string().nullable(),
        installed: z.boolean(),
        version: z.string().nullable(),
        tested: z.boolean().nullable(),
        range: z.string().nullable(),
        logged_in: z.boolean().nullable(),
        next: z.string().nullable().describe("The next command, where there is something to do"),
        text: z.string().describe("The same in a few words"),
      })
      .nullable(),
    fields: z.array(z.looseObject({ field: z.string(), honoured: z.boolean(), why: z.string() })),
    notes: z.array(z.string()),
  });

export type AgentDocument = z.output<ReturnType<typeof agentSchema>>;

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

export function describeAgent(agent: KnownAgent): AgentDocument {
  const { name, source, file, definition, problem, notes, shadowedBy, isDefault, adapter } = agent;
  return {
    name,
    source,
    file: file === "" ? null : file,
    default: isDefault,
    usable: definition !== undefined && adapter !== undefined,
    problem: problem ?? null,
    shadowed_by: shadowedBy ?? null,
    description: definition?.description ?? null,
    adapter: definition?.adapter ?? null,
    has_adapter: adapter !== undefined,
    model: definition?.model ?? null,
    isolation: definition?.isolation ?? null,
    command: [...(definition?.command ?? [])],
    program: describeAgentProgram(agent),
    fields: fieldUses(agent).map(copyFields),
    notes: [...notes],
  };
}

function describeAgentProgram({ program, definition }: KnownAgent): AgentDocument["program"] {
  if (program === undefined) return null;
  const { name, path, version, tested, range, loggedIn, next } = program;
  // A program that the definition itself names is never asked for its version.
  const isAsked = definition?.command.length === 0 || path === null;
  const text = isAsked ? describeProgram(program) : "installed";
  return { name, path, installed: path !== null, version, tested, range, logged_in: loggedIn, next, text };
}
