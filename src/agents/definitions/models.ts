export type ModelFamily = "anthropic" | "openai" | "google";

export interface MappedModel {
  /** Absent where the agent's own default is meant, or the name means nothing to its program. */
  readonly model: string | undefined;
  readonly honoured: boolean;
  readonly why: string;
}

const DEFAULTS: ReadonlySet<string> = new Set(["", "inherit", "default", "auto"]);
const FAMILIES: readonly (readonly [ModelFamily, RegExp])[] = [
  ["anthropic", /^(?:claude|sonnet|opus|haiku|anthropic)/],
  ["openai", /^(?:gpt|chatgpt|codex|openai|o\d)/],
  ["google", /^(?:gemini|gemma|google)/],
];
const ADAPTER_FAMILIES: ReadonlyMap<string, ModelFamily> = new Map([
  ["claude", "anthropic"],
  ["codex", "openai"],
  ["gemini", "google"],
]);

/** Whose model a name is, by how it begins. */
export function familyOf(name: string): ModelFamily | undefined {
  const lower = name.trim().toLowerCase();
  return FAMILIES.find(([, pattern]) => pattern.test(lower))?.[0];
}

/** A definition's model in the words of the program that drives it. */
export function mapModel(adapter: string, written: string): MappedModel {
  const name = written.trim();
  if (DEFAULTS.has(name.toLowerCase()))
    return { model: undefined, honoured: true, why: "the program's own default" };
  if (adapter === "opencode") return mapForOpenCode(name);
  const own = ADAPTER_FAMILIES.get(adapter);
  if (own === undefined) return { model: name, honoured: true, why: "passed on as it is" };
  const family = familyOf(name);
  const plain = name.slice(name.lastIndexOf("/") + 1);
  if (family !== undefined && family !== own)
    return { model: undefined, honoured: false, why: `${adapter} has no models of ${family}` };
  const why = plain === name ? "passed on as it is" : `passed on as ${plain}`;
  return { model: plain, honoured: true, why };
}

/** There every model has the name of its provider before it. */
function mapForOpenCode(name: string): MappedModel {
  if (name.includes("/")) return { model: name, honoured: true, why: "passed on as it is" };
  const family = familyOf(name);
  // A family's short name is no model of its provider.
  if (family === undefined || !name.includes("-"))
    return { model: undefined, honoured: false, why: "opencode wants provider/model" };
  const model = `${family}/${name}`;
  return { model, honoured: true, why: `passed on as ${model}` };
}
