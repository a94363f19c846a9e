import { findAgentProgram } from "../adapters/agent-programs.ts";
import type { AgentDefinition, FieldUse, ListedDefinition } from "./agent-definition.ts";
import type { DefinitionFolder } from "./folders.ts";
import { adapterNames } from "./built-in-roles.ts";
import { mapModel, type MappedModel } from "./models.ts";
import { readToolList, type ReadTools } from "./tools.ts";
import { readCommandWords, readFlag, isAgentName, readText } from "./values.ts";

/** The content of a file before it is interpreted. */
export interface RawDefinition {
  readonly folder: DefinitionFolder;
  readonly file: string;
  readonly stem: string;
  readonly fields: Readonly<Record<string, unknown>>;
  /** The agent's instructions. */
  readonly body: string;
  readonly notes: readonly string[];
}

const MAX_DESCRIPTION_LENGTH = 2000;
const MAX_INSTRUCTIONS_LENGTH = 60_000;

/** Interprets a definition field by field, so that one bad field does not hide the others. */
export function interpretDefinition(raw: RawDefinition): ListedDefinition {
  const { folder, file, stem, fields } = raw;
  const { source } = folder;
  const name = chooseName(raw);
  const base = { name, source, file, shadowedBy: undefined };
  const adapter = readText(fields["adapter"]) ?? folder.adapter;
  const problem = adapter === undefined ? NO_ADAPTER : (findProblem(raw) ?? findHiddenAgent(name, adapter));
  const notes = [...raw.notes, ...describeNameNotes(raw, name), ...describeCuts(raw)];
  if (adapter === undefined || problem !== undefined || !isAgentName(stem))
    return { ...base, definition: undefined, problem: problem ?? BAD_NAME, fields: [], notes };
  const model = mapModel(adapter, readText(fields["model"]) ?? "");
  const tools = readToolList(folder, adapter, fields);
  const definition: AgentDefinition = {
    name,
    description: (readText(fields["description"]) ?? "").slice(0, MAX_DESCRIPTION_LENGTH),
    adapter,
    command: isCommandHonoured(raw) ? readCommandWords(fields["command"]) : [],
    model: model.model,
    isolation: readIsolation(fields["isolation"]),
    instructions: raw.body.slice(0, MAX_INSTRUCTIONS_LENGTH),
    file,
    source,
    ...(tools.tools === undefined ? {} : { tools: tools.tools }),
  };
  return { ...base, definition, problem: undefined, fields: listFieldUses(raw, { model, tools }), notes };
}

const NO_ADAPTER = `it names no adapter: write adapter: ${adapterNames}`;
const BAD_NAME = "its name has characters an agent's name cannot have; use letters, digits, - and _";

function chooseName({ folder, stem, fields }: RawDefinition): string {
  const written = readText(fields["name"])?.trim();
  return folder.isNamedByFile || written === undefined || !isAgentName(written) ? stem : written;
}

function describeNameNotes({ fields, stem }: RawDefinition, name: string): readonly string[] {
  const written = readText(fields["name"])?.trim();
  if (written === undefined || written === name) return [];
  return [`it calls itself "${written.slice(0, 100)}"; here it is ${stem}, by its file`];
}

function describeCuts({ fields, body }: RawDefinition): readonly string[] {
  const description = readText(fields["description"]) ?? "";
  return [
    ...(description.length > MAX_DESCRIPTION_LENGTH
      ? [`its description is cut after ${MAX_DESCRIPTION_LENGTH} characters`]
      : []),
    ...(body.length > MAX_INSTRUCTIONS_LENGTH
      ? [`its instructions are cut after ${MAX_INSTRUCTIONS_LENGTH} characters`]
      : []),
  ];
}

/** A definition can switch itself off, or describe an agent on another machine. */
function findProblem({ folder, fields }: RawDefinition): string | undefined {
  if (readFlag(fields["disable"]) || readFlag(fields["disabled"]))
    return "it is switched off by a field of its own";
  return folder.rules?.findProblem?.(fields);
}

/** The name of a built-in agent always means that program, so a project cannot put another one in its place. */
function findHiddenAgent(name: string, adapter: string): string | undefined {
  if (findAgentProgram(name) === undefined || adapter === name) return undefined;
  return `${name} is a built-in agent, and this one uses the adapter ${adapter}; give it another name`;
}

/** In another tool's file `command` has that tool's meaning, unless the file also names an adapter. */
function isCommandHonoured({ folder, fields }: RawDefinition): boolean {
  return folder.source === "ambit" || fields["adapter"] !== undefined;
}

function readIsolation(value: unknown): AgentDefinition["isolation"] {
  return value === "worktree" || value === "sandbox" ? value : undefined;
}

function listFieldUses(
  raw: RawDefinition,
  { model, tools }: { readonly model: MappedModel; readonly tools: ReadTools },
): readonly FieldUse[] {
  const { folder, fields } = raw;
  return Object.keys(fields).map((field): FieldUse => {
    if (field === "model") return { field, honoured: model.honoured, why: model.why };
    const tool = tools.uses.find((use) => use.field === field);
    if (tool !== undefined) return tool;
    const how = explainHonoured(raw, field);
    return how === undefined
      ? { field, honoured: false, why: explainIgnored(folder, field) }
      : { field, honoured: true, why: how };
  });
}

function explainHonoured(raw: RawDefinition, field: string): string | undefined {
  const { folder, fields } = raw;
  if (field === "name") return folder.isNamedByFile ? undefined : "what it is called";
  if (field === "description") return "its purpose";
  if (field === "adapter") return "how it is driven";
  if (field === "command" && isCommandHonoured(raw)) return "what starts it";
  if (field === "isolation" && readIsolation(fields[field]) !== undefined) return "where it works";
  if (field === "disable" || field === "disabled") return "it may be used";
  return findReason(folder.rules?.honouredFields, field);
}

function explainIgnored({ rules }: DefinitionFolder, field: string): string {
  return findReason(rules?.ignoredFields, field) ?? "an unknown field";
}

function findReason(
  reasons: Readonly<Record<string, string>> | undefined,
  field: string,
): string | undefined {
  return reasons !== undefined && Object.hasOwn(reasons, field) ? reasons[field] : undefined;
}
