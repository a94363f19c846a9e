import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { listProviderHosts } from "../../src/agents/provider-hosts.ts";

let home: string;

beforeEach(() => {
  home = mkdtempSync(join(tmpdir(), "ambit-hosts-"));
});

afterEach(() => rmSync(home, { recursive: true, force: true }));

function list(
  adapter: string,
  environment: Readonly<Record<string, string>> = {},
  more: { readonly command?: readonly string[]; readonly isMetered?: boolean } = {},
): readonly string[] | undefined {
  const { command = [], isMetered = false } = more;
  const found = listProviderHosts(adapter, { environment, home, command }, { given: environment, isMetered });
  return found?.map(({ host, port }) => `${host}:${port}`);
}

describe("the hosts that an agent needs", () => {
  it("are those of its provider and its login", () => {
    expect(list("claude")).toContain("api.anthropic.com:443");
    expect(list("codex")).toStrictEqual(["api.openai.com:443", "chatgpt.com:443", "auth.openai.com:443"]);
    expect(list("gemini")).toContain("generativelanguage.googleapis.com:443");
    expect(list("acp", {}, { command: ["copilot", "--acp"] })).toContain("*.githubcopilot.com:443");
  });

  it("are the address of the user's own settings and no other, whatever proxy the machine uses", () => {
    expect(list("claude", { ANTHROPIC_BASE_URL: "https://llm.corp.example/anthropic" })).toStrictEqual([
      "llm.corp.example:443",
    ]);
    mkdirSync(join(home, ".codex"));
    const provider =
      'model_provider = "corp"\n[model_providers.corp]\nbase_url = "http://10.0.0.5:8080/v1"\n';
    writeFileSync(join(home, ".codex/config.toml"), provider);
    expect(list("codex", { HTTPS_PROXY: "http://proxy:3128" })).toStrictEqual(["10.0.0.5:8080"]);
  });

  it("are the addresses that pi's own settings name, with its bridge and without", () => {
    mkdirSync(join(home, ".pi/agent"), { recursive: true });
    const providers = { corp: { baseUrl: "https://llm.corp.example/v1" }, odd: {} };
    writeFileSync(join(home, ".pi/agent/models.json"), JSON.stringify({ providers }));
    for (const [adapter, command] of [
      ["command", ["pi", "-p"]],
      ["acp", ["pi-acp"]],
    ] as const)
      expect(list(adapter, {}, { command })).toStrictEqual(["llm.corp.example:443"]);
  });

  it("are those of the keys and addresses in its environment, if it works with any provider", () => {
    const environment = { MISTRAL_API_KEY: "x", OPENAI_BASE_URL: "http://localhost:4000/v1", EMPTY_URL: "" };
    expect(list("opencode", environment)).toStrictEqual(["localhost:4000", "api.mistral.ai:443"]);
    expect(list("acp", environment, { command: ["own-agent"] })).toStrictEqual([
      "localhost:4000",
      "api.mistral.ai:443",
    ]);
    expect(list("command", environment, { command: ["aider"] })).toContain("api.mistral.ai:443");
  });

  it("are those of the providers in its settings and logins, if it works with any provider", () => {
    mkdirSync(join(home, ".config/opencode"), { recursive: true });
    mkdirSync(join(home, ".local/share/opencode"), { recursive: true });
    const provider = { corp: { options: { baseURL: "https://llm.corp.example:8443/v1" } }, plain: {} };
    writeFileSync(join(home, ".config/opencode/opencode.json"), JSON.stringify({ provider }));
    writeFileSync(join(home, ".local/share/opencode/auth.json"), '{"mistral": {"type": "api", "key": "x"}}');
    expect(list("opencode")).toStrictEqual(["llm.corp.example:8443", "api.mistral.ai:443"]);
  });

  it("exclude the metered host, because an agent must not bypass the proxy", () => {
    expect(list("claude", {}, { isMetered: true })).not.toContain("api.anthropic.com:443");
    expect(list("claude", {}, { isMetered: true })).toContain("platform.claude.com:443");
    const gateway = { ANTHROPIC_BASE_URL: "https://llm.corp.example" };
    expect(list("claude", gateway, { isMetered: true })).toStrictEqual([]);
  });

  it("are empty for an unknown provider, and are not looked up for a program that is not an agent", () => {
    const environment = { OPENAI_API_KEY: "x" };
    expect(list("acp", {}, { command: ["own-agent"] })).toStrictEqual([]);
    const plain = { command: ["sh", "-c", "curl https://api.openai.com"] };
    expect(list("command", environment, plain)).toBeUndefined();
    expect(list("scripted", environment)).toBeUndefined();
  });
});
