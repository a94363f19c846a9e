import { readFileSync } from "node:fs";
import { join } from "node:path";
import { PROVIDER_NAMES } from "../stream-json/provider-names.ts";
import { type Fields, fieldsOf } from "../stream-json/read-line.ts";
import type { UserFolders } from "../stream-json/user-folders.ts";

type Environment = Readonly<Record<string, string | undefined>>;
type Login = boolean | "unknown";

/** Whether the CLI knows a login, as far as variables and its own files tell. */
export function readLogin(name: string, environment: Environment, folders: UserFolders): Login {
  switch (name) {
    case "claude":
      return claudeLogin(environment, folders);
    case "codex":
      return codexLogin(environment, folders);
    case "gemini":
      return geminiLogin(environment, folders);
    case "opencode":
      return opencodeLogin(environment, folders);
    default:
      return "unknown";
  }
}

const CLAUDE_NAMES: readonly string[] = [
  "ANTHROPIC_API_KEY",
  "ANTHROPIC_AUTH_TOKEN",
  "CLAUDE_CODE_OAUTH_TOKEN",
  "CLAUDE_CODE_USE_BEDROCK",
  "CLAUDE_CODE_USE_VERTEX",
  "CLAUDE_CODE_USE_FOUNDRY",
];

function claudeLogin(environment: Environment, { claude, claudeState }: UserFolders): Login {
  if (hasAny(environment, CLAUDE_NAMES)) return true;
  if (hasField(readJson(join(claude, ".credentials.json")), "claudeAiOauth")) return true;
  if (hasField(readJson(claudeState), "primaryApiKey")) return true;
  const settings = readJson(join(claude, "settings.json"));
  if (hasField(settings, "apiKeyHelper") || hasAny(fieldsOf(settings["env"]), CLAUDE_NAMES)) return true;
  // There the login lies in the keychain, which is not ours to open.
  return process.platform === "darwin" ? "unknown" : false;
}

/** `OPENAI_API_KEY` alone is not enough: Codex wants to be told with `codex login --with-api-key`. */
function codexLogin(environment: Environment, { codex }: UserFolders): Login {
  if (hasAny(environment, ["CODEX_API_KEY", "CODEX_ACCESS_TOKEN"])) return true;
  const login = readJson(join(codex, "auth.json"));
  if (hasField(login, "OPENAI_API_KEY") || hasField(login, "tokens")) return true;
  // A provider of the user's own, with a key of its own or none.
  const hasProvider = readText(join(codex, "config.toml"))
    .split("\n")
    .some((line) => line.trimStart().startsWith("model_provider"));
  return hasProvider ? "unknown" : false;
}

function geminiLogin(environment: Environment, { gemini }: UserFolders): Login {
  const names = ["GEMINI_API_KEY", "GOOGLE_GENAI_USE_VERTEXAI", "GOOGLE_GENAI_USE_GCA"];
  if (hasAny(environment, names)) return true;
  if (readText(join(gemini, "oauth_creds.json")) !== "") return true;
  if (readText(join(gemini, "gemini-credentials.json")) !== "") return true;
  return readText(join(gemini, ".env"))
    .split("\n")
    .some((line) => names.some((name) => line.trimStart().startsWith(`${name}=`)));
}

function opencodeLogin(environment: Environment, folders: UserFolders): Login {
  const keys = PROVIDER_NAMES.filter((name) => name.endsWith("_API_KEY") || name.endsWith("_TOKEN"));
  if (hasAny(environment, keys)) return true;
  if (Object.keys(readJson(join(folders.opencodeData, "auth.json"))).length > 0) return true;
  const settings = ["opencode.json", "opencode.jsonc", "config.json"].map((name) =>
    readText(join(folders.opencodeConfig, name)),
  );
  return settings.some((text) => text.includes('"provider"')) ? "unknown" : false;
}

function hasAny(environment: Fields, names: readonly string[]): boolean {
  return names.some((name) => hasField(environment, name));
}

function hasField(fields: Fields, name: string): boolean {
  const value = fields[name];
  return value !== undefined && value !== null && value !== "";
}

function readJson(file: string): Fields {
  try {
    return fieldsOf(JSON.parse(readText(file)));
  } catch {
    // Not there, or half written: no login either way.
    return {};
  }
}

function readText(file: string): string {
  try {
    return readFileSync(file, "utf8");
  } catch {
    // Most have only some of these files.
    return "";
  }
}
