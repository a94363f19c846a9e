import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { parse } from "smol-toml";
import { expect, it, onTestFinished } from "vitest";
import { findCodexAddress, listProviderVariables } from "../../src/agents/adapters/codex/provider.ts";
import { findBudgetHold, findProviderAddress } from "../../src/agents/provider-address.ts";
import { codexAdapter } from "../../src/agents/adapters/codex/program.ts";

const VENDOR = "https://api.openai.com/v1";
const GATEWAY = "https://gateway.example/v1";
const OWN = `model_provider = "own"
[model_providers.own]
name = "Own"
base_url = "${GATEWAY}"
env_key = "OWN_KEY"
env_http_headers = { "x-team" = "OWN_TEAM" }
supports_websockets = true
query_params = { "api-version" = "1" }
`;

interface Files {
  readonly config?: string;
  readonly auth?: object;
  readonly system?: string;
  readonly managed?: string;
}

function makeHome({ config, auth, system, managed }: Files) {
  const home = mkdtempSync(join(tmpdir(), "codex-provider-"));
  onTestFinished(() => rmSync(home, { recursive: true, force: true }));
  mkdirSync(join(home, ".codex"));
  mkdirSync(join(home, "etc"));
  const write = (path: string, text: string | undefined): void => {
    if (text !== undefined) writeFileSync(join(home, path), text);
  };
  write(".codex/config.toml", config);
  write(".codex/auth.json", auth === undefined ? undefined : JSON.stringify(auth));
  write("etc/config.toml", system);
  write("etc/managed_config.toml", managed);
  return home;
}

function addressOf(files: Files, environment: Readonly<Record<string, string>> = {}, command: string[] = []) {
  const home = makeHome(files);
  return findCodexAddress({ environment, home, command }, join(home, "etc"));
}

it.each([
  ["a key in a variable", {}, { CODEX_API_KEY: "k" }, VENDOR],
  ["a stored key", { auth: { OPENAI_API_KEY: "k" } }, {}, VENDOR],
  [
    "a gateway in the settings",
    { config: `openai_base_url = "${GATEWAY}"` },
    { CODEX_API_KEY: "k" },
    GATEWAY,
  ],
  ["a gateway in a variable", {}, { CODEX_API_KEY: "k", OPENAI_BASE_URL: GATEWAY }, GATEWAY],
  ["a gateway of the machine", { system: `openai_base_url = "${GATEWAY}"` }, { CODEX_API_KEY: "k" }, GATEWAY],
  ["an own provider", { config: OWN }, { OWN_KEY: "k" }, GATEWAY],
  [
    "a provider of a profile",
    { config: `profile = "p"\n[profiles.p]\nmodel_provider = "own"\n${OWN.slice(OWN.indexOf("["))}` },
    {},
    GATEWAY,
  ],
  ["a local model", { config: 'model_provider = "ollama"' }, {}, "http://localhost:11434/v1"],
] as const)("follows %s", (_what, files, environment, upstream) => {
  expect(addressOf(files, environment)?.upstream).toBe(upstream);
});

it.each([
  ["a login with an account", { auth: { tokens: { access_token: "t" } } }, {}, []],
  ["a key that it does not read", {}, { OPENAI_API_KEY: "k" }, []],
  ["signed requests", { config: `${OWN}[model_providers.own.aws]\nregion = "x"\n` }, {}, []],
  ["a provider of a cloud", { config: 'model_provider = "amazon-bedrock"' }, {}, []],
  ["settings of an administrator", { managed: 'model_provider = "own"' }, { CODEX_API_KEY: "k" }, []],
  ["settings in its command", {}, { CODEX_API_KEY: "k" }, ["codex", "--config=model_provider=x"]],
])("does not redirect %s, so that a budget is refused", (_what, files, environment, command) => {
  expect(addressOf(files, environment, command)).toBeUndefined();
});

it("redirects a custom provider in the copy of its settings and keeps the rest", () => {
  const address = addressOf({ config: `model = "m"\n${OWN}` });
  const built = address?.redirect(
    { argv: [], environment: {}, stdin: "" },
    "http://127.0.0.1:1/secret",
    "/home/agent",
  );
  const [file] = built?.files ?? [];
  expect(file?.path).toBe("codex/config.toml");
  expect(parse(file?.content ?? "")).toMatchObject({
    model: "m",
    model_provider: "own",
    model_providers: {
      own: {
        base_url: "http://127.0.0.1:1/secret",
        env_key: "OWN_KEY",
        supports_websockets: false,
        query_params: { "api-version": "1" },
      },
    },
  });
});

it("names the variables of a custom provider", () => {
  const home = makeHome({ config: OWN });
  expect(listProviderVariables({ environment: {}, home })).toEqual(["OWN_KEY", "OWN_TEAM"]);
});

it("leaves requests alone if they go through a network proxy", () => {
  const home = makeHome({ config: OWN });
  const environment = { OWN_KEY: "k" };
  expect(findProviderAddress("codex", { environment, home })?.upstream).toBe(GATEWAY);
  const proxied = { environment: { ...environment, https_proxy: "http://192.0.2.1:3128" }, home };
  expect(findProviderAddress("codex", proxied)).toBeUndefined();
  expect(findBudgetHold(codexAdapter, proxied)).toMatchObject({ kind: "none" });
  expect(findBudgetHold(codexAdapter, { environment, home })).toMatchObject({ kind: "proxy" });
});
