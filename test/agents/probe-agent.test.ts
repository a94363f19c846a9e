import { chmodSync, mkdirSync, mkdtempSync, readdirSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { probeAgent } from "../../src/agents/probe-agent.ts";

let folder = "";
let home = "";

beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), "ambit-test-probe-"));
  home = join(folder, "home");
  mkdirSync(home);
});
afterEach(() => rmSync(folder, { recursive: true, force: true }));

function install(name: string, script: string): string {
  const file = join(folder, "bin", name);
  mkdirSync(dirname(file), { recursive: true });
  writeFileSync(file, `#!/bin/sh\n${script}\n`);
  chmodSync(file, 0o755);
  return file;
}

function write(path: string, text: string): void {
  const file = join(home, path);
  mkdirSync(dirname(file), { recursive: true });
  writeFileSync(file, text);
}

function probe(name: string, more: Readonly<Record<string, string>> = {}) {
  return probeAgent(name, { PATH: `${join(folder, "bin")}:/usr/bin:/bin`, HOME: home, ...more });
}

describe("an agent CLI on this machine", () => {
  it("is reported with its path, its version and whether that version was tested", async () => {
    const path = install("codex", "echo 'codex-cli 0.166.3'");
    write(".codex/auth.json", '{"tokens":{"id_token":"x"}}');
    expect(await probe("codex")).toEqual({
      name: "codex",
      path,
      version: "0.166.3",
      tested: true,
      loggedIn: true,
      next: null,
    });
  });

  it("is reported as present but outside the tested range", async () => {
    const versions = [
      ["claude", "echo '2.1.999 (Claude Code)'", "2.1.999", true],
      ["claude", "echo '3.0.0 (Claude Code)'", "3.0.0", false],
      ["codex", "echo 'codex-cli 0.167.0'", "0.167.0", false],
      ["gemini", "echo 0.61.9", "0.61.9", true],
      ["gemini", "echo 0.610.0", "0.610.0", false],
      ["opencode", "echo 1.18.0", "1.18.0", true],
      ["opencode", "echo 11.18.0", "11.18.0", false],
    ] as const;
    for (const [name, script, version, tested] of versions) {
      install(name, script);
      expect(await probe(name)).toMatchObject({ version, tested });
    }
  });

  it("is reported with its install command if it is missing", async () => {
    expect(await probe("claude")).toMatchObject({
      path: null,
      version: null,
      tested: false,
      next: "npm install -g @anthropic-ai/claude-code",
    });
    expect(await probe("nobody-knows-me")).toMatchObject({ path: null, loggedIn: "unknown", next: null });
  });

  it("counts as missing if it cannot report its version", async () => {
    install("gemini", "exit 1");
    expect(await probe("gemini")).toMatchObject({ version: null, next: "npm install -g @google/gemini-cli" });
    install("codex", "echo no number here");
    expect(await probe("codex")).toMatchObject({ version: null, tested: false });
  });

  it("is probed without a trace in the user's folders", async () => {
    const folders = "$CODEX_HOME $CLAUDE_CONFIG_DIR $GEMINI_CLI_HOME $XDG_DATA_HOME $XDG_CONFIG_HOME";
    install("codex", `for f in ${folders}; do mkdir -p "$f/made"; done; echo 0.166.0`);
    expect(await probe("codex")).toMatchObject({ version: "0.166.0" });
    expect(readdirSync(home)).toEqual([]);
  });
});

describe("a login", () => {
  const logIns = {
    claude: "claude setup-token",
    codex: "codex login",
    gemini: "gemini",
    opencode: "opencode auth login",
  };

  it.runIf(process.platform !== "darwin")(
    "is reported as missing with the command that logs in",
    async () => {
      for (const [name, next] of Object.entries(logIns)) {
        install(name, "echo 0.0.1");
        expect(await probe(name)).toMatchObject({ loggedIn: false, next });
      }
    },
  );

  it("is recognised by a key in the environment", async () => {
    const keys = [
      ["claude", "ANTHROPIC_API_KEY"],
      ["claude", "CLAUDE_CODE_OAUTH_TOKEN"],
      ["claude", "CLAUDE_CODE_USE_BEDROCK"],
      ["codex", "CODEX_API_KEY"],
      ["gemini", "GEMINI_API_KEY"],
      ["opencode", "OPENROUTER_API_KEY"],
    ] as const;
    for (const [name, key] of keys) {
      expect(await probe(name, { [key]: "x" })).toMatchObject({ loggedIn: true });
      expect(await probe(name, { [key]: "" })).not.toMatchObject({ loggedIn: true });
    }
  });

  it("is recognised by the CLI's own files", async () => {
    const files = [
      ["claude", ".claude/.credentials.json", '{"claudeAiOauth":{"accessToken":"x"}}'],
      ["claude", ".claude.json", '{"primaryApiKey":"x"}'],
      ["claude", ".claude/settings.json", '{"apiKeyHelper":"/bin/key"}'],
      ["codex", ".codex/auth.json", '{"OPENAI_API_KEY":"x"}'],
      ["gemini", ".gemini/oauth_creds.json", '{"refresh_token":"x"}'],
      ["gemini", ".gemini/.env", "# mine\nGEMINI_API_KEY=x\n"],
      ["opencode", ".local/share/opencode/auth.json", '{"anthropic":{"type":"api"}}'],
    ] as const;
    for (const [name, path, text] of files) {
      write(path, text);
      expect(await probe(name), path).toMatchObject({ loggedIn: true });
      rmSync(join(home, path));
      expect(await probe(name), `without ${path}`).not.toMatchObject({ loggedIn: true });
    }
  });

  it("is not found in a file without one", async () => {
    write(".codex/auth.json", '{"OPENAI_API_KEY":null}');
    write(".local/share/opencode/auth.json", "{}");
    write(".gemini/.env", "# GEMINI_API_KEY=x");
    for (const name of ["codex", "opencode", "gemini"]) {
      expect(await probe(name)).toMatchObject({ loggedIn: false });
    }
  });

  it("is unknown if the user has set up a custom provider", async () => {
    write(".codex/config.toml", 'model_provider = "mine"\n');
    write(".config/opencode/opencode.json", '{"provider":{"mine":{}}}');
    expect(await probe("codex")).toMatchObject({ loggedIn: "unknown" });
    expect(await probe("opencode")).toMatchObject({ loggedIn: "unknown" });
  });

  it("is looked for where the user keeps it", async () => {
    mkdirSync(join(folder, "elsewhere"));
    writeFileSync(join(folder, "elsewhere/auth.json"), '{"tokens":{}}');
    expect(await probe("codex", { CODEX_HOME: join(folder, "elsewhere") })).toMatchObject({ loggedIn: true });
  });
});
