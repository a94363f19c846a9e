import { familyOf, type ModelFamily } from "./models.ts";

/** One way to serve a wish for a provider. */
export interface ProviderChoice {
  readonly adapter: string;
  readonly model: string | undefined;
}

const PROGRAMS: ReadonlyMap<string, string> = new Map([
  ["claude", "claude"],
  ["claude-code", "claude"],
  ["anthropic", "claude"],
  ["codex", "codex"],
  ["codex-cli", "codex"],
  ["openai", "codex"],
  ["chatgpt", "codex"],
  ["gpt", "codex"],
  ["gemini", "gemini"],
  ["gemini-cli", "gemini"],
  ["google", "gemini"],
  ["opencode", "opencode"],
]);
const FAMILY_ADAPTERS: Readonly<Record<ModelFamily, string>> = {
  anthropic: "claude",
  openai: "codex",
  google: "gemini",
};
const SHORT_CLAUDE = /^claude-(haiku|sonnet|opus)$/;

/**
 * Who can serve a `preferred_provider` (R4), best first: a provider (`anthropic`), a program (`codex`), a model
 * (`claude-opus`, `gpt-4o`) or both (`openai/gpt-4o`). Empty when nobody knows the name.
 */
export function providerChoices(written: string): readonly ProviderChoice[] {
  const name = written.trim();
  const program = PROGRAMS.get(name.toLowerCase());
  if (program !== undefined) return [{ adapter: program, model: undefined }];
  const slash = name.indexOf("/");
  const family = familyOf(name);
  const through: readonly ProviderChoice[] = slash > 0 ? [{ adapter: "opencode", model: name }] : [];
  if (family === undefined) return through;
  const model = slash > 0 ? name.slice(slash + 1) : name;
  return [{ adapter: FAMILY_ADAPTERS[family], model: shortName(model) }, ...through];
}

/** Claude Code takes its families by their last word alone. */
function shortName(model: string): string {
  return SHORT_CLAUDE.exec(model.toLowerCase())?.[1] ?? model;
}
