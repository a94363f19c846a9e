import { join } from "node:path";
import type { BuiltRun } from "../../adapter-types/agent-adapter.ts";
import type { HomeFolder, ProgramSetup, ProviderAddress } from "../../adapter-types/agent-program.ts";
import { readJsonFields } from "../../stream-json/login-files.ts";
import { readFields, readList, readText, type Fields } from "../../stream-json/read-line.ts";

const MODELS_FILE = "models.json";

export const piFolder: HomeFolder = {
  variable: "PI_CODING_AGENT_DIR",
  path: ".pi/agent",
  files: ["settings.json", MODELS_FILE, "auth.json", "AGENTS.md", "SYSTEM.md", "APPEND_SYSTEM.md"],
};

/** Words of a command that can choose another provider than the settings do. */
const CHOOSING_WORDS: ReadonlySet<string> = new Set(["--provider", "--model", "--models", "-m"]);

/** The addresses of the providers that the user has added. */
export function findPiAddresses(setup: ProgramSetup): readonly string[] {
  return Object.values(readProviders(setup))
    .map((provider) => readText(readFields(provider)["baseUrl"]))
    .filter((address) => address !== "");
}

/** Undefined unless its settings choose a provider that the user has added: only such an address can be moved. */
export function findPiAddress(setup: ProgramSetup): ProviderAddress | undefined {
  const { command = [] } = setup;
  if (command.some((word) => CHOOSING_WORDS.has(word.split("=", 1).join("")))) return undefined;
  const name = readText(readJsonFields(join(findFolder(setup), "settings.json"))["defaultProvider"]);
  const provider = readFields(readProviders(setup)[name]);
  const upstream = readText(provider["baseUrl"]);
  const hasOtherAddress = readList(provider["models"]).some((model) => "baseUrl" in readFields(model));
  if (upstream === "" || hasOtherAddress) return undefined;
  return {
    upstream,
    redirect: (built, url, agentHome) => {
      const models = readJsonFields(join(findFolder(setup), MODELS_FILE));
      const providers = { ...readProviders(setup), [name]: { ...provider, baseUrl: url } };
      return replaceModels(built, agentHome, { from: findFolder(setup), models: { ...models, providers } });
    },
  };
}

/** It reads its address from a file, so it works with copies of its settings, as in a sandbox. */
function replaceModels(
  built: BuiltRun,
  agentHome: string,
  { from, models }: { readonly from: string; readonly models: Fields },
): BuiltRun {
  const { variable, path, files } = piFolder;
  const others = files.filter((name) => name !== MODELS_FILE);
  return {
    ...built,
    environment: { ...built.environment, [variable]: join(agentHome, path) },
    copies: others.map((name) => ({ from: join(from, name), to: join(path, name) })),
    files: [
      ...(built.files ?? []),
      { path: join(path, MODELS_FILE), content: `${JSON.stringify(models)}\n` },
    ],
  };
}

function readProviders(setup: ProgramSetup): Fields {
  return readFields(readJsonFields(join(findFolder(setup), MODELS_FILE))["providers"]);
}

function findFolder({ environment, home }: ProgramSetup): string {
  return environment[piFolder.variable] ?? join(home, piFolder.path);
}
