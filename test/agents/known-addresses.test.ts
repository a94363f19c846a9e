import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { expect, it, onTestFinished } from "vitest";
import { createAdapterFinder } from "../../src/agents/find-adapter.ts";
import { describeBounds } from "../../src/agents/own-agents.ts";
import { findBudgetHold, findProviderAddress, findReportedUsage } from "../../src/agents/provider-address.ts";

const findAdapter = createAdapterFinder([]);

type Environment = Readonly<Record<string, string>>;

const PROXY = "http://127.0.0.1:4999/secret";
const AGENT_HOME = "/agent-home";
const GATEWAY = "https://gateway.example/v1";
const OWN_CODEX = `model_provider = "own"\n[model_providers.own]\nbase_url = "${GATEWAY}"\nenv_key = "OWN_KEY"\n`;

function makeHome(files: Readonly<Record<string, string>>): string {
  const home = mkdtempSync(join(tmpdir(), "known-addresses-"));
  onTestFinished(() => rmSync(home, { recursive: true, force: true }));
  for (const [path, text] of Object.entries(files)) {
    mkdirSync(dirname(join(home, path)), { recursive: true });
    writeFileSync(join(home, path), text);
  }
  return home;
}

function move(command: string, environment: Environment, files: Readonly<Record<string, string>> = {}) {
  const setup = { environment, home: makeHome(files), command: command.split(" ") };
  const address = findProviderAddress("acp", setup);
  const built = { argv: [], environment: {}, stdin: "", pass: [], files: [], copies: [] };
  return address === undefined
    ? undefined
    : { upstream: address.upstream, moved: address.redirect(built, PROXY, AGENT_HOME).environment };
}

it.each<[string, Environment, string, string]>([
  ["qwen --acp", { OPENAI_API_KEY: "k" }, "https://api.openai.com/v1", "OPENAI_BASE_URL"],
  ["qwen --acp", { OPENAI_API_KEY: "k", OPENAI_BASE_URL: GATEWAY }, GATEWAY, "OPENAI_BASE_URL"],
  ["kimi acp", { KIMI_MODEL_NAME: "m" }, "https://api.moonshot.ai/v1", "KIMI_MODEL_BASE_URL"],
  [
    "kimi acp",
    { KIMI_MODEL_NAME: "m", KIMI_MODEL_PROVIDER_TYPE: "OpenAI" },
    "https://api.openai.com/v1",
    "KIMI_MODEL_BASE_URL",
  ],
  ["kimi acp", { KIMI_MODEL_NAME: "m", KIMI_MODEL_BASE_URL: GATEWAY }, GATEWAY, "KIMI_MODEL_BASE_URL"],
  ["grok agent stdio", { GROK_MODELS_BASE_URL: GATEWAY }, GATEWAY, "GROK_MODELS_BASE_URL"],
  ["goose acp", { GOOSE_PROVIDER: "anthropic" }, "https://api.anthropic.com", "ANTHROPIC_HOST"],
  ["goose acp", { GOOSE_PROVIDER: "openai", OPENAI_HOST: GATEWAY }, GATEWAY, "OPENAI_HOST"],
])("redirects the requests of %s with %j", (command, environment, upstream, variable) => {
  expect(move(command, environment)).toStrictEqual({ upstream, moved: { [variable]: PROXY } });
});

it.each<[string, Environment, Readonly<Record<string, string>>]>([
  ["qwen --acp", {}, {}],
  [
    "qwen --acp",
    { OPENAI_API_KEY: "k" },
    { ".qwen/settings.json": `{"security":{"auth":{"baseUrl":"${GATEWAY}"}}}` },
  ],
  [
    "qwen --acp",
    { OPENAI_API_KEY: "k" },
    { ".qwen/settings.json": '{"security":{"auth":{"selectedType":"qwen-oauth"}}}' },
  ],
  ["kimi acp", { KIMI_API_KEY: "k" }, {}],
  ["kimi acp", { KIMI_MODEL_NAME: "m", KIMI_MODEL_PROVIDER_TYPE: "vertexai" }, {}],
  ["grok agent stdio", { XAI_API_KEY: "k" }, {}],
  ["goose acp", { OPENAI_HOST: GATEWAY }, {}],
  ["goose acp", { GOOSE_PROVIDER: "databricks" }, {}],
  ["goose acp", { GOOSE_PROVIDER: "openai", OPENAI_BASE_URL: GATEWAY }, {}],
])("does not redirect %s with %j and %j, because its address is unknown", (command, environment, files) => {
  expect(move(command, environment, files)).toBeUndefined();
});

it("reads the provider of goose from its settings, where a variable wins", () => {
  const files = { ".config/goose/config.yaml": `GOOSE_PROVIDER: "openai"\nOPENAI_HOST: ${GATEWAY}\n` };
  expect(move("goose acp", {}, files)?.upstream).toBe(GATEWAY);
  expect(move("goose acp", { OPENAI_HOST: "http://other" }, files)?.upstream).toBe("http://other");
});

it("redirects the requests of Codex's bridge with the variable it reads, overriding the user's settings", () => {
  const own = move("codex-acp", { OWN_KEY: "k" }, { ".codex/config.toml": OWN_CODEX });
  expect(own?.upstream).toBe(GATEWAY);
  expect(JSON.parse(own?.moved["CODEX_CONFIG"] ?? "")).toStrictEqual({
    model_providers: { own: { base_url: PROXY, env_key: "OWN_KEY", supports_websockets: false } },
  });
  const vendor = move("codex-acp", { CODEX_API_KEY: "k" });
  expect(JSON.parse(vendor?.moved["CODEX_CONFIG"] ?? "")).toStrictEqual({ openai_base_url: PROXY });
});

const PI_MODELS = {
  providers: {
    own: { baseUrl: GATEWAY, apiKey: "k", models: [{ id: "m" }] },
    other: { baseUrl: "http://other" },
  },
};
const PI = {
  ".pi/agent/settings.json": '{"defaultProvider":"own"}',
  ".pi/agent/models.json": JSON.stringify(PI_MODELS),
};

it.each([
  ["acp", ["pi-acp"]],
  ["command", ["pi", "-p", "--mode", "json"]],
])("redirects the requests of pi (%s) with a copy of its settings", (adapter, command) => {
  const home = makeHome(PI);
  const address = findProviderAddress(adapter, { environment: {}, home, command });
  expect(address?.upstream).toBe(GATEWAY);
  const built = address?.redirect({ argv: [], environment: {}, stdin: "" }, PROXY, AGENT_HOME);
  expect(built?.environment).toStrictEqual({ PI_CODING_AGENT_DIR: `${AGENT_HOME}/.pi/agent` });
  const [models] = built?.files ?? [];
  expect(models?.path).toBe(".pi/agent/models.json");
  const { own, other } = PI_MODELS.providers;
  expect(JSON.parse(models?.content ?? "")).toStrictEqual({
    providers: { own: { ...own, baseUrl: PROXY }, other },
  });
  const copied = built?.copies?.map(({ to }) => to);
  expect(copied).toContain(".pi/agent/auth.json");
  expect(copied).not.toContain(".pi/agent/models.json");
});

it.each<[string, Readonly<Record<string, string>>]>([
  ["pi -p --mode json", {}],
  ["pi -p --mode json", { ...PI, ".pi/agent/settings.json": '{"defaultProvider":"openai"}' }],
  ["pi -p --mode json --provider other", PI],
  ["pi -p --mode json --model=other/m", PI],
  [
    "pi -p --mode json",
    {
      ...PI,
      ".pi/agent/models.json": `{"providers":{"own":{"baseUrl":"${GATEWAY}","models":[{"id":"m","baseUrl":"http://other"}]}}}`,
    },
  ],
])("keeps the address of %s with %j, and relies on its usage reports", (command, files) => {
  const setup = { environment: {}, home: makeHome(files), command: command.split(" ") };
  expect(findProviderAddress("command", setup)).toBeUndefined();
  expect(findBudgetHold(findAdapter("command"), setup)).toStrictEqual({ kind: "reports" });
});

it("enforces the budget of pi through the proxy if possible, and by its reports if the proxy is not wanted", () => {
  const setup = { environment: {}, home: makeHome(PI), command: ["pi", "-p", "--mode", "json"] };
  expect(findBudgetHold(findAdapter("command"), setup)).toMatchObject({ kind: "proxy", isNeeded: false });
  const bridge = { ...setup, command: ["pi-acp"] };
  expect(findBudgetHold(findAdapter("acp"), bridge)).toMatchObject({ kind: "proxy", isNeeded: true });
});

it("reports that hidden requests of an agent are not booked, unless the proxy counts them", () => {
  expect(findReportedUsage("acp", ["qwen", "--acp"])).toBe("some");
  expect(findReportedUsage("acp", ["kimi", "acp"])).toBe("unknown");
  expect(findReportedUsage("acp", ["opencode", "acp"])).toBe("all");
  expect(findReportedUsage("claude", [])).toBe("all");
  const adapter = findAdapter("acp");
  const bounds = (environment: Environment): readonly string[] =>
    describeBounds(adapter, { environment, home: "/nowhere", command: ["qwen", "--acp"] });
  expect(bounds({})).toHaveLength(1);
  expect(bounds({})[0]).toContain("does not report");
  expect(bounds({ OPENAI_API_KEY: "k" })).toEqual([]);
});
