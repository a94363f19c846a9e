import { join } from "node:path";
import { parse, stringify } from "smol-toml";
import { readTextOrEmpty } from "../../../base/files.ts";
import type { BuiltRun } from "../../adapter-types/agent-adapter.ts";
import type { ProgramSetup, ProviderAddress } from "../../adapter-types/agent-program.ts";
import { type Fields, readFields, readText } from "../../stream-json/read-line.ts";
import { hasAnyField, readJsonFields } from "../../stream-json/login-files.ts";
import { findCodexFolder } from "./user-folders.ts";

const CONFIG_FILE = "codex/config.toml";
/** Settings in JSON, for the bridge. */
export const BRIDGE_VARIABLE = "CODEX_CONFIG";

const OPENAI_ADDRESS = "https://api.openai.com/v1";
const OPENAI_SETTING = "openai_base_url";
const OWN_PROVIDERS_SETTING = "model_providers";
/** Files of the machine's administrator: the first is below the user's settings, the second above them. */
const SYSTEM_FOLDER = "/etc/codex";
/** Words of a command that can choose another provider than the settings do. */
const CHOOSING_WORDS: ReadonlySet<string> = new Set(["-c", "--config", "-p", "--profile", "--oss"]);
const LOCAL_PROVIDERS: ReadonlyMap<string, string> = new Map([
  ["ollama", "http://localhost:11434/v1"],
  ["lmstudio", "http://localhost:1234/v1"],
]);
const LOCAL_VARIABLE = "CODEX_OSS_BASE_URL";

interface CodexProvider {
  readonly name: string;
  /** Its table in the settings; empty for a built-in provider. */
  readonly fields: Fields;
  readonly config: Fields;
}

/**
 * Where Codex would send its requests, by its settings. Undefined if that cannot be moved: a login with an account
 * instead of a key, requests signed for their address, or settings that the command or an administrator overrides.
 */
export function findCodexAddress(
  setup: ProgramSetup,
  systemFolder: string = SYSTEM_FOLDER,
  change: ChangeSettings = changeFile,
): ProviderAddress | undefined {
  const { environment, command = [] } = setup;
  if (command.some((word) => CHOOSING_WORDS.has(word.split("=", 1).join("")))) return undefined;
  if (namesProvider(readConfig(join(systemFolder, "managed_config.toml")))) return undefined;
  const provider = readProvider(setup, systemFolder);
  if (provider.name === "openai") return findOpenAiAddress(provider, setup, change);
  const local = LOCAL_PROVIDERS.get(provider.name);
  if (local !== undefined)
    return { upstream: environment[LOCAL_VARIABLE] ?? local, redirect: redirectByVariable };
  const upstream = readText(provider.fields["base_url"]);
  if (upstream === "" || provider.fields["aws"] !== undefined) return undefined;
  return { upstream, redirect: (built, url) => change(built, provider.config, moveProvider(provider, url)) };
}

/** The same for its bridge, which has no settings file of its own. */
export function findBridgeAddress(setup: ProgramSetup): ProviderAddress | undefined {
  return findCodexAddress(setup, SYSTEM_FOLDER, changeVariable);
}

/** The variables that the user's own provider reads its key and its headers from. */
export function listProviderVariables(setup: ProgramSetup): readonly string[] {
  const { fields } = readProvider(setup, SYSTEM_FOLDER);
  const headers = Object.values(readFields(fields["env_http_headers"]));
  return [fields["env_key"], ...headers].map(readText).filter((name) => name !== "");
}

/** Whether the user has chosen a provider, which may have a key of its own or need none. */
export function hasOwnProvider(setup: ProgramSetup): boolean {
  return readProvider(setup, SYSTEM_FOLDER).name !== "openai";
}

function readProvider({ environment, home }: ProgramSetup, systemFolder: string): CodexProvider {
  const user = readConfig(join(findCodexFolder(home, environment), "config.toml"));
  const system = readConfig(join(systemFolder, "config.toml"));
  const config = { ...system, ...user };
  const profile = readFields(readFields(config["profiles"])[readText(config["profile"])]);
  const name = readText(profile["model_provider"]) || readText(config["model_provider"]) || "openai";
  const tables = { ...readFields(system[OWN_PROVIDERS_SETTING]), ...readFields(user[OWN_PROVIDERS_SETTING]) };
  return { name, fields: readFields(tables[name]), config: { ...config, [OWN_PROVIDERS_SETTING]: tables } };
}

/** A login with an account goes to another address unless the settings name one. */
function findOpenAiAddress(
  { config }: CodexProvider,
  setup: ProgramSetup,
  change: ChangeSettings,
): ProviderAddress | undefined {
  const chosen = readText(config[OPENAI_SETTING]) || (setup.environment["OPENAI_BASE_URL"] ?? "");
  if (chosen === "" && !hasKey(setup)) return undefined;
  return {
    upstream: chosen === "" ? OPENAI_ADDRESS : chosen,
    redirect: (built, url) => change(built, config, { [OPENAI_SETTING]: url }),
  };
}

function hasKey({ environment, home }: ProgramSetup): boolean {
  if (hasAnyField(environment, ["CODEX_API_KEY"])) return true;
  return hasAnyField(readJsonFields(join(findCodexFolder(home, environment), "auth.json")), [
    "OPENAI_API_KEY",
  ]);
}

/** Our proxy speaks plain HTTP, so a provider that could use a WebSocket must not. */
function moveProvider({ name, fields, config }: CodexProvider, url: string): Fields {
  const moved = { ...fields, base_url: url, supports_websockets: false };
  return { [OWN_PROVIDERS_SETTING]: { ...readFields(config[OWN_PROVIDERS_SETTING]), [name]: moved } };
}

/** Makes a run with these settings, some of them changed. */
type ChangeSettings = (built: BuiltRun, config: Fields, changes: Fields) => BuiltRun;

/** The address holds a secret, so it is in a file: any user of the machine can read a command line. */
function changeFile(built: BuiltRun, config: Fields, changes: Fields): BuiltRun {
  const others = (built.files ?? []).filter(({ path }) => path !== CONFIG_FILE);
  const content = `${stringify({ ...config, ...changes })}\n`;
  return { ...built, files: [...others, { path: CONFIG_FILE, content }] };
}

/** The bridge reads the user's own file and puts this variable over it. */
function changeVariable(built: BuiltRun, _: Fields, changes: Fields): BuiltRun {
  const before = readFields(JSON.parse(built.environment[BRIDGE_VARIABLE] ?? "{}"));
  const value = JSON.stringify({ ...before, ...changes });
  return { ...built, environment: { ...built.environment, [BRIDGE_VARIABLE]: value } };
}

function redirectByVariable(built: BuiltRun, url: string): BuiltRun {
  return { ...built, environment: { ...built.environment, [LOCAL_VARIABLE]: url } };
}

function namesProvider(config: Fields): boolean {
  return ["model_provider", OWN_PROVIDERS_SETTING, OPENAI_SETTING, "profile"].some(
    (name) => config[name] !== undefined,
  );
}

function readConfig(file: string): Fields {
  try {
    return readFields(parse(readTextOrEmpty(file)));
  } catch {
    // Codex refuses such a file itself, and says so.
    return {};
  }
}
