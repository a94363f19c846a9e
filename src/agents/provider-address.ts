import type { BuiltRun } from "./adapter.ts";

/** Where an agent program sends its requests to the model, and how it is made to send them elsewhere. */
export interface ProviderAddress {
  readonly upstream: string;
  readonly redirect: (built: BuiltRun, url: string) => BuiltRun;
}

type Environment = Readonly<Record<string, string | undefined>>;

/** Undefined for a program that cannot be redirected, or that is logged in with something else than a key. */
export function providerAddress(adapter: string, environment: Environment): ProviderAddress | undefined {
  switch (adapter) {
    case "claude":
      return byVariable(
        "ANTHROPIC_BASE_URL",
        environment["ANTHROPIC_BASE_URL"] ?? "https://api.anthropic.com",
      );
    case "gemini":
      return byVariable(
        "GOOGLE_GEMINI_BASE_URL",
        environment["GOOGLE_GEMINI_BASE_URL"] ?? "https://generativelanguage.googleapis.com",
      );
    case "codex":
      return (environment["CODEX_API_KEY"] ?? environment["OPENAI_API_KEY"]) === undefined
        ? undefined
        : codexAddress;
    default:
      return undefined;
  }
}

function byVariable(name: string, upstream: string): ProviderAddress {
  return {
    upstream,
    redirect: (built, url) => ({ ...built, environment: { ...built.environment, [name]: url } }),
  };
}

/** It reads no variable for this. Its built-in provider moves; one of the user's own stays where it is. */
const codexAddress: ProviderAddress = {
  upstream: "https://api.openai.com/v1",
  redirect: (built, url) => {
    const place = built.argv.indexOf("--json");
    const setting = ["-c", `openai_base_url=${JSON.stringify(url)}`];
    return { ...built, argv: [...built.argv.slice(0, place), ...setting, ...built.argv.slice(place)] };
  },
};
