import type { AgentDefinition, FieldUse, ListedDefinition } from "./agent-definition.ts";
import type { DefinitionFolder } from "./folders.ts";
import { adapterNames } from "./built-in-roles.ts";
import { mapModel, type MappedModel } from "./models.ts";
import { readTools, type ReadTools } from "./tools.ts";
import { commandOf, flag, isAgentName, textOf } from "./values.ts";

/** What a file says, before anybody asked what it means. */
export interface RawDefinition {
  readonly folder: DefinitionFolder;
  readonly file: string;
  readonly stem: string;
  readonly fields: Readonly<Record<string, unknown>>;
  /** The text that is the agent's instructions. */
  readonly body: string;
  readonly notes: readonly string[];
}

const LONGEST_DESCRIPTION = 2000;
const LONGEST_INSTRUCTIONS = 60_000;

/** What the fields of a definition mean here, field by field. Whatever they say, one bad one does not hide the rest. */
export function interpretDefinition(raw: RawDefinition): ListedDefinition {
  const { folder, file, stem, fields } = raw;
  const { source } = folder;
  const name = nameOf(raw);
  const base = { name, source, file, shadowedBy: undefined };
  const adapter = textOf(fields["adapter"]) ?? folder.adapter;
  const problem = adapter === undefined ? NO_ADAPTER : problemOf(raw);
  const notes = [...raw.notes, ...nameNotes(raw, name), ...cutNotes(raw)];
  if (adapter === undefined || problem !== undefined || !isAgentName(stem))
    return { ...base, definition: undefined, problem: problem ?? BAD_NAME, fields: [], notes };
  const model = mapModel(adapter, textOf(fields["model"]) ?? "");
  const tools = readTools(folder, adapter, fields);
  const definition: AgentDefinition = {
    name,
    description: (textOf(fields["description"]) ?? "").slice(0, LONGEST_DESCRIPTION),
    adapter,
    command: isCommandHonoured(raw) ? commandOf(fields["command"]) : [],
    model: model.model,
    isolation: isolationOf(fields["isolation"]),
    instructions: raw.body.slice(0, LONGEST_INSTRUCTIONS),
    file,
    source,
    ...(tools.tools === undefined ? {} : { tools: tools.tools }),
  };
  return { ...base, definition, problem: undefined, fields: fieldUses(raw, { model, tools }), notes };
}

const NO_ADAPTER = `it names no adapter: write adapter: ${adapterNames}`;
const BAD_NAME = "its name has characters an agent's name cannot have; use letters, digits, - and _";

function nameOf({ folder, stem, fields }: RawDefinition): string {
  const written = textOf(fields["name"])?.trim();
  return folder.isNamedByFile || written === undefined || !isAgentName(written) ? stem : written;
}

function nameNotes({ fields, stem }: RawDefinition, name: string): readonly string[] {
  const written = textOf(fields["name"])?.trim();
  if (written === undefined || written === name) return [];
  return [`it calls itself "${written.slice(0, 100)}"; here it is ${stem}, by its file`];
}

function cutNotes({ fields, body }: RawDefinition): readonly string[] {
  const description = textOf(fields["description"]) ?? "";
  return [
    ...(description.length > LONGEST_DESCRIPTION
      ? [`its description is cut after ${LONGEST_DESCRIPTION} characters`]
      : []),
    ...(body.length > LONGEST_INSTRUCTIONS
      ? [`its instructions are cut after ${LONGEST_INSTRUCTIONS} characters`]
      : []),
  ];
}

/** Some definitions say themselves that they are not to be used, or that their agent is elsewhere. */
function problemOf({ folder, fields }: RawDefinition): string | undefined {
  if (flag(fields["disable"]) || flag(fields["disabled"])) return "it is switched off by a field of its own";
  return folder.rules?.findProblem?.(fields);
}

/** In another tool's file `command` is that tool's word unless the file is written for us. */
function isCommandHonoured({ folder, fields }: RawDefinition): boolean {
  return folder.source === "ambit" || fields["adapter"] !== undefined;
}

function isolationOf(value: unknown): AgentDefinition["isolation"] {
  return value === "worktree" || value === "sandbox" ? value : undefined;
}

function fieldUses(
  raw: RawDefinition,
  { model, tools }: { readonly model: MappedModel; readonly tools: ReadTools },
): readonly FieldUse[] {
  const { folder, fields } = raw;
  return Object.keys(fields).map((field): FieldUse => {
    if (field === "model") return { field, honoured: model.honoured, why: model.why };
    const tool = tools.uses.find((use) => use.field === field);
    if (tool !== undefined) return tool;
    const how = honouredBy(raw, field);
    return how === undefined
      ? { field, honoured: false, why: whyIgnored(folder, field) }
      : { field, honoured: true, why: how };
  });
}

function honouredBy(raw: RawDefinition, field: string): string | undefined {
  const { folder, fields } = raw;
  if (field === "name") return folder.isNamedByFile ? undefined : "what it is called";
  if (field === "description") return "what it is for";
  if (field === "adapter") return "how it is driven";
  if (field === "command" && isCommandHonoured(raw)) return "what starts it";
  if (field === "isolation" && isolationOf(fields[field]) !== undefined) return "where it works";
  if (field === "disable" || field === "disabled") return "it may be used";
  return findReason(folder.rules?.honouredFields, field);
}

function whyIgnored({ rules }: DefinitionFolder, field: string): string {
  return findReason(rules?.ignoredFields, field) ?? "an unknown field";
}

function findReason(
  reasons: Readonly<Record<string, string>> | undefined,
  field: string,
): string | undefined {
  return reasons !== undefined && Object.hasOwn(reasons, field) ? reasons[field] : undefined;
}
