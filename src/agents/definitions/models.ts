import { agentPrograms, findAgentProgram } from "../adapters/agent-programs.ts";
import type { AgentProgram } from "../adapter-types/agent-program.ts";

export interface MappedModel {
  /** Absent if the agent's own default is meant, or the name means nothing to its program. */
  readonly model: string | undefined;
  readonly honoured: boolean;
  readonly why: string;
}

const DEFAULT_NAMES: ReadonlySet<string> = new Set(["", "inherit", "default", "auto"]);

/** A definition's model in the words of the program that runs it. */
export function mapModel(adapter: string, written: string): MappedModel {
  const name = written.trim();
  if (DEFAULT_NAMES.has(name.toLowerCase()))
    return { model: undefined, honoured: true, why: "the program's own default" };
  const program = findAgentProgram(adapter);
  if (program === undefined) return passModelOn(name, name);
  const ownFamily = program.models.family;
  if (ownFamily === undefined) return addProvider(adapter, name);
  const family = findFamilyProgram(name)?.models.family;
  if (family !== undefined && family !== ownFamily)
    return { model: undefined, honoured: false, why: `${adapter} has no models of ${family.name}` };
  return passModelOn(name, name.slice(name.lastIndexOf("/") + 1));
}

/** The program whose family a model belongs to, by the beginning of its name. */
function findFamilyProgram(name: string): AgentProgram | undefined {
  const lower = name.trim().toLowerCase();
  return agentPrograms.find(({ models }) => models.family?.pattern.test(lower));
}

function passModelOn(written: string, model: string): MappedModel {
  const why = model === written ? "passed on as it is" : `passed on as ${model}`;
  return { model, honoured: true, why };
}

/** For a program that takes models as `provider/model`. */
function addProvider(adapter: string, name: string): MappedModel {
  if (name.includes("/")) return passModelOn(name, name);
  const family = findFamilyProgram(name)?.models.family;
  // A family's short name, such as "sonnet", is not a model of its provider.
  if (family === undefined || !name.includes("-"))
    return { model: undefined, honoured: false, why: `${adapter} wants provider/model` };
  return passModelOn(name, `${family.name}/${name}`);
}

/** An adapter and model that serve a preferred provider. */
export interface ProviderChoice {
  readonly adapter: string;
  readonly model: string | undefined;
}

/**
 * The agents that can serve a `preferred_provider` (R4), best first: a provider (`anthropic`), a program (`codex`), a
 * model (`claude-opus`, `gpt-4o`) or both (`openai/gpt-4o`). Empty if the name is unknown.
 */
export function listProviderChoices(written: string): readonly ProviderChoice[] {
  const name = written.trim();
  const named = agentPrograms.find(({ models }) => models.providerNames.includes(name.toLowerCase()));
  if (named !== undefined) return [{ adapter: named.adapter.name, model: undefined }];
  const slash = name.indexOf("/");
  const anyProvider = agentPrograms.filter(({ models }) => models.family === undefined);
  const through = slash > 0 ? anyProvider.map(({ adapter }) => ({ adapter: adapter.name, model: name })) : [];
  const program = findFamilyProgram(name);
  if (program === undefined) return through;
  const model = slash > 0 ? name.slice(slash + 1) : name;
  const { adapter, models } = program;
  return [{ adapter: adapter.name, model: models.shortenModel?.(model) ?? model }, ...through];
}
