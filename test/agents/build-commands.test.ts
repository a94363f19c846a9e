import { describe, expect, it } from "vitest";
import type { AgentAdapter, RunSpec } from "../../src/agents/adapter-types/agent-adapter.ts";
import { claudeAdapter } from "../../src/agents/adapters/claude/program.ts";
import { codexAdapter } from "../../src/agents/adapters/codex/program.ts";
import { geminiAdapter } from "../../src/agents/adapters/gemini/program.ts";
import { opencodeAdapter } from "../../src/agents/adapters/opencode/program.ts";
import { buildEnvironment } from "../../src/containment/build-environment.ts";
import { spec as whole } from "./conformance.ts";

const { command: _, ...spec } = whole;
const folder = "/state/logs/S-1/attempt-2";
const DAY_MS = 86_400_000;

/** The words that follow each occurrence of an option. */
function valuesOf(adapter: AgentAdapter, option: string, more: Partial<RunSpec> = {}): readonly string[] {
  const { argv } = adapter.build({ ...spec, ...more });
  return argv.flatMap((part, index) => (part === option ? [argv[index + 1] ?? ""] : []));
}

function json(text: string | undefined): unknown {
  return JSON.parse(text ?? "null");
}

/** The worker's environment as the runtime makes it. */
function environmentFor(adapter: AgentAdapter, user: Readonly<Record<string, string>>) {
  const { environment, pass = [] } = adapter.build({ ...spec, userEnvironment: user });
  return buildEnvironment({ base: user, allow: pass, set: environment });
}

describe("Claude Code's command", () => {
  it("matches the command that was tried with the real CLI", () => {
    expect(claudeAdapter.build({ ...spec, model: "sonnet", remainingMicroUsd: 1_250_000 }).argv).toEqual([
      "claude",
      "-p",
      "--output-format",
      "stream-json",
      "--verbose",
      "--include-partial-messages",
      "--permission-mode",
      "acceptEdits",
      "--tools",
      "Bash,Read,Edit,Write,NotebookEdit,Grep,Glob,WebFetch,WebSearch",
      "--allowedTools",
      "Bash,Read,Edit,Write,NotebookEdit,Grep,Glob,WebFetch,WebSearch,mcp__ambit",
      "--add-dir",
      folder,
      "--strict-mcp-config",
      "--mcp-config",
      "/state/agents/S-1/claude/ambit-mcp.json",
      "--model",
      "sonnet",
      "--max-budget-usd",
      "1.250000",
    ]);
  });

  it("reads only the user's settings until a person has decided about the project's", () => {
    expect(valuesOf(claudeAdapter, "--setting-sources")).toEqual([]);
    const { isProjectTrusted: _trust, ...undecided } = spec;
    for (const one of [undecided, { ...spec, isProjectTrusted: false }])
      expect(claudeAdapter.build(one).argv.join(" ")).toContain(" --setting-sources user ");
  });

  it("restricts a definition to its tools and continues a session", () => {
    expect(valuesOf(claudeAdapter, "--tools", { tools: ["Read", "Grep"] })).toEqual(["Read,Grep"]);
    expect(valuesOf(claudeAdapter, "--allowedTools", { tools: ["Read"] })).toEqual(["Read,mcp__ambit"]);
    expect(valuesOf(claudeAdapter, "--resume", { resumeSession: "s-1" })).toEqual(["s-1"]);
    expect(valuesOf(claudeAdapter, "--max-budget-usd", { remainingMicroUsd: 0 })).toEqual(["0.000001"]);
  });

  it("names our server in a file, always loads it, and lets each call last a day", () => {
    const { files = [], environment } = claudeAdapter.build(spec);
    expect(files.map(({ path, content }) => [path, json(content)])).toEqual([
      [
        "claude/ambit-mcp.json",
        {
          mcpServers: {
            ambit: {
              type: "stdio",
              command: "/usr/bin/node",
              args: ["/opt/ambit.js", "mcp"],
              env: { AMBIT_SOCKET: "/state/worker.sock", AMBIT_TOKEN: "token-nobody-may-see" },
              timeout: DAY_MS,
              alwaysLoad: true,
            },
          },
        },
      ],
    ]);
    expect(environment).toMatchObject({
      CLAUDE_CONFIG_DIR: "/state/agents/S-1/claude",
      ENABLE_TOOL_SEARCH: "false",
      MCP_TOOL_TIMEOUT: String(DAY_MS),
      CLAUDE_CODE_MCP_TOOL_IDLE_TIMEOUT: String(DAY_MS),
      CLAUDE_CODE_DISABLE_NONESSENTIAL_TRAFFIC: "1",
      DISABLE_AUTOUPDATER: "1",
    });
    const { mcp: __, ...without } = spec;
    const bare = claudeAdapter.build(without);
    expect(bare.argv).not.toContain("--mcp-config");
    expect(bare.files).toEqual([]);
  });

  it("gets the keys of a cloud only if that cloud serves the model", () => {
    const keys = { AWS_ACCESS_KEY_ID: "a", AWS_REGION: "r", ANTHROPIC_MODEL: "m" };
    const plain = environmentFor(claudeAdapter, keys);
    expect(plain["AWS_ACCESS_KEY_ID"]).toBeUndefined();
    expect(plain["ANTHROPIC_MODEL"]).toBe("m");
    const bedrock = environmentFor(claudeAdapter, { ...keys, CLAUDE_CODE_USE_BEDROCK: "1" });
    expect(bedrock).toMatchObject({ AWS_ACCESS_KEY_ID: "a", CLAUDE_CODE_USE_BEDROCK: "1" });
    const off = environmentFor(claudeAdapter, { ...keys, CLAUDE_CODE_USE_BEDROCK: "0" });
    expect(off["AWS_ACCESS_KEY_ID"]).toBeUndefined();
  });
});

describe("Codex's command", () => {
  it("matches the command that was tried with the real CLI", () => {
    const { argv } = codexAdapter.build({ ...spec, model: "gpt-x" });
    expect(argv.slice(0, 4)).toEqual(["codex", "exec", "--json", "--skip-git-repo-check"]);
    expect(argv.slice(-3)).toEqual(["-m", "gpt-x", "-"]);
    expect(valuesOf(codexAdapter, "-c")).toEqual([
      'approval_policy="never"',
      "features.multi_agent=false",
      "agents.enabled=false",
      "features.multi_agent_v2=false",
      "features.goals=false",
      "features.daemon_auto_start=false",
      "features.apps=false",
      "features.unbounded_connection_retries=false",
      "features.plugins=false",
      "analytics.enabled=false",
      "feedback.enabled=false",
      "check_for_update_on_startup=false",
      "notify=[]",
      "allow_login_shell=false",
      'history.persistence="none"',
      'sandbox_mode="workspace-write"',
      "sandbox_workspace_write.network_access=true",
      `sandbox_workspace_write.writable_roots=["${folder}"]`,
      'mcp_servers.ambit={command="/usr/bin/node",args=["/opt/ambit.js","mcp"],' +
        'env_vars=["AMBIT_SOCKET","AMBIT_TOKEN"],required=true,default_tools_approval_mode="approve",' +
        "supports_parallel_tool_calls=true,startup_timeout_sec=60,tool_timeout_sec=86400}",
    ]);
  });

  it("creates its folder even if there is nothing to copy, because Codex does not start without it", () => {
    expect(codexAdapter.build(spec).files).toEqual([{ path: "codex/.keep", content: "" }]);
  });

  it("passes the server's variables through Codex's own environment", () => {
    expect(codexAdapter.build(spec).environment).toEqual({
      AMBIT_SOCKET: "/state/worker.sock",
      AMBIT_TOKEN: "token-nobody-may-see",
      CODEX_HOME: "/state/agents/S-1/codex",
    });
  });

  it("continues a session", () => {
    const { argv } = codexAdapter.build({ ...spec, resumeSession: "thread-1" });
    expect(argv.slice(0, 4)).toEqual(["codex", "exec", "resume", "--json"]);
    expect(argv.slice(-2)).toEqual(["thread-1", "-"]);
    expect(argv).not.toContain("-s");
  });

  it("disables Codex's own sandbox inside ours, where it could not start", () => {
    const settings = valuesOf(codexAdapter, "-c", { sandboxed: true });
    expect(settings).toContain('sandbox_mode="danger-full-access"');
    expect(settings.filter((setting) => setting.includes("workspace"))).toEqual([]);
  });

  it("quotes paths so that they stay one value", () => {
    const roots = valuesOf(codexAdapter, "-c", { writable: ['/a "b"\\c\u007f'] }).find((setting) =>
      setting.includes("writable_roots"),
    );
    expect(roots).toBe(`sandbox_workspace_write.writable_roots=["${folder}","/a \\"b\\"\\\\c\\u007f"]`);
  });
});

describe("Gemini CLI's command", () => {
  it("matches the command that was tried with the real CLI", () => {
    const { argv, environment } = geminiAdapter.build({ ...spec, model: "gemini-x", resumeSession: "u-1" });
    expect(argv).toEqual([
      "gemini",
      "--skip-trust",
      "--approval-mode",
      "yolo",
      "--output-format",
      "stream-json",
      "--include-directories",
      folder,
      "--model",
      "gemini-x",
      "--resume",
      "u-1",
      "--prompt",
      "",
    ]);
    expect(environment).toEqual({
      GEMINI_CLI_HOME: "/state/agents/S-1/gemini",
      GEMINI_CLI_NO_RELAUNCH: "true",
    });
  });

  it("keeps Gemini's own trust check until a person has decided about the project", () => {
    const { isProjectTrusted: _trust, ...undecided } = spec;
    for (const one of [undecided, { ...spec, isProjectTrusted: false }])
      expect(geminiAdapter.build(one).argv).not.toContain("--skip-trust");
  });

  it("puts its settings at the user's level, on top of the user's own", () => {
    const { files = [] } = geminiAdapter.build(spec);
    expect(files.map(({ path, content, over }) => ({ path, over, settings: json(content) }))).toEqual([
      {
        path: "gemini/.gemini/settings.json",
        over: "/home/user/.gemini/settings.json",
        settings: {
          general: { enableAutoUpdate: false, enableAutoUpdateNotification: false, maxAttempts: 3 },
          privacy: { usageStatisticsEnabled: false },
          telemetry: { enabled: false },
          model: { disableLoopDetection: true },
          experimental: { enableAgents: false },
          tools: { exclude: ["invoke_agent", "enter_plan_mode", "ask_user"] },
          mcpServers: {
            ambit: {
              command: "/usr/bin/node",
              args: ["/opt/ambit.js", "mcp"],
              env: { AMBIT_SOCKET: "/state/worker.sock", AMBIT_TOKEN: "token-nobody-may-see" },
              trust: true,
              timeout: DAY_MS,
            },
          },
        },
      },
    ]);
  });
});

describe("Gemini CLI's login", () => {
  const chosen = (userEnvironment: Readonly<Record<string, string>>) =>
    json(geminiAdapter.build({ ...spec, userEnvironment }).files?.[0]?.content);
  const byKey = { security: { auth: { selectedType: "gemini-api-key" } } };

  it("uses the key if there is one, because Gemini would guess wrong from an address", () => {
    expect(chosen({ GEMINI_API_KEY: "x", GOOGLE_GEMINI_BASE_URL: "http://127.0.0.1:1" })).toMatchObject(
      byKey,
    );
    expect(chosen({})).not.toHaveProperty("security");
    expect(chosen({ GEMINI_API_KEY: "" })).not.toHaveProperty("security");
    expect(chosen({ GEMINI_API_KEY: "x", GOOGLE_GENAI_USE_VERTEXAI: "true" })).not.toHaveProperty("security");
  });
});

describe("OpenCode's command", () => {
  it("matches the command that was tried with the real CLI", () => {
    expect(opencodeAdapter.build({ ...spec, model: "mock/mock-1" }).argv).toEqual([
      "opencode",
      "run",
      "--format",
      "json",
      "--title",
      "ambit worker",
      "--model",
      "mock/mock-1",
    ]);
    const resumed = opencodeAdapter.build({ ...spec, resumeSession: "ses_1" }).argv;
    expect(resumed).toEqual(["opencode", "run", "--format", "json", "--session", "ses_1"]);
  });

  it("never asks: everything is allowed or denied, for the main agent too", () => {
    const { environment } = opencodeAdapter.build(spec);
    const permission = {
      "*": "allow",
      read: "allow",
      edit: "allow",
      bash: "allow",
      webfetch: "allow",
      external_directory: "allow",
      doom_loop: "allow",
      task: "deny",
      question: "deny",
      plan_enter: "deny",
    };
    expect(json(environment["OPENCODE_CONFIG_CONTENT"])).toEqual({
      autoupdate: false,
      share: "disabled",
      snapshot: false,
      permission,
      agent: { build: { permission } },
      mcp: {
        ambit: {
          type: "local",
          enabled: true,
          command: ["/usr/bin/node", "/opt/ambit.js", "mcp"],
          environment: { AMBIT_SOCKET: "/state/worker.sock", AMBIT_TOKEN: "token-nobody-may-see" },
          timeout: DAY_MS,
        },
      },
    });
  });

  it("keeps the plug-ins that people log in with", () => {
    expect(opencodeAdapter.build(spec).environment).not.toHaveProperty("OPENCODE_DISABLE_DEFAULT_PLUGINS");
  });
});

describe("a user's own setup", () => {
  const froms = (adapter: AgentAdapter, userEnvironment: Readonly<Record<string, string>> = {}) =>
    (adapter.build({ ...spec, userEnvironment }).copies ?? []).map(({ from }) => from);

  it("is copied: logins and providers, from where each CLI keeps them", () => {
    expect(froms(claudeAdapter)).toEqual([
      "/home/user/.claude/.credentials.json",
      "/home/user/.claude/settings.json",
      "/home/user/.claude.json",
    ]);
    expect(froms(codexAdapter)).toEqual(
      expect.arrayContaining(["/home/user/.codex/auth.json", "/home/user/.codex/config.toml"]),
    );
    expect(froms(geminiAdapter)).toEqual(
      expect.arrayContaining(["/home/user/.gemini/oauth_creds.json", "/home/user/.gemini/.env"]),
    );
    expect(froms(opencodeAdapter)).toEqual(
      expect.arrayContaining([
        "/home/user/.local/share/opencode/auth.json",
        "/home/user/.config/opencode/opencode.json",
      ]),
    );
  });

  it("is found in the place the user chose", () => {
    expect(froms(claudeAdapter, { CLAUDE_CONFIG_DIR: "/c" })).toEqual([
      "/c/.credentials.json",
      "/c/settings.json",
      "/c/.claude.json",
    ]);
    expect(froms(codexAdapter, { CODEX_HOME: "/x" })[0]).toBe("/x/auth.json");
    expect(froms(geminiAdapter, { GEMINI_CLI_HOME: "/g" })[0]).toBe("/g/.gemini/oauth_creds.json");
    expect(froms(opencodeAdapter, { XDG_DATA_HOME: "/d" })).toContain("/d/opencode/auth.json");
  });

  it("provides keys and addresses of its providers, and nothing else", () => {
    const user = {
      ANTHROPIC_API_KEY: "1",
      ANTHROPIC_AUTH_TOKEN: "2",
      ANTHROPIC_BASE_URL: "3",
      CLAUDE_CODE_OAUTH_TOKEN: "4",
      OPENAI_API_KEY: "5",
      OPENAI_BASE_URL: "6",
      CODEX_API_KEY: "7",
      GEMINI_API_KEY: "8",
      GOOGLE_API_KEY: "9",
      GOOGLE_GEMINI_BASE_URL: "10",
      GOOGLE_CLOUD_PROJECT: "11",
      HTTPS_PROXY: "12",
      CLAUDECODE: "inside",
      CLAUDE_CODE_ENTRYPOINT: "inside",
      CODEX_THREAD_ID: "inside",
      GEMINI_CLI: "inside",
      OPENCODE: "inside",
      AI_AGENT: "inside",
      DATABASE_PASSWORD: "secret",
      GITHUB_TOKEN: "secret",
      NODE_OPTIONS: "--require evil",
    };
    const passed = (adapter: AgentAdapter) => {
      const environment = environmentFor(adapter, user);
      return Object.keys(user).filter((name) => environment[name] !== undefined);
    };
    expect(passed(claudeAdapter)).toEqual([
      "ANTHROPIC_API_KEY",
      "ANTHROPIC_AUTH_TOKEN",
      "ANTHROPIC_BASE_URL",
      "CLAUDE_CODE_OAUTH_TOKEN",
      "HTTPS_PROXY",
    ]);
    expect(passed(geminiAdapter)).toEqual([
      "GEMINI_API_KEY",
      "GOOGLE_API_KEY",
      "GOOGLE_GEMINI_BASE_URL",
      "GOOGLE_CLOUD_PROJECT",
      "HTTPS_PROXY",
    ]);
    const providers = [
      "ANTHROPIC_API_KEY",
      "ANTHROPIC_AUTH_TOKEN",
      "ANTHROPIC_BASE_URL",
      "OPENAI_API_KEY",
      "OPENAI_BASE_URL",
      "GEMINI_API_KEY",
      "GOOGLE_API_KEY",
      "GOOGLE_GEMINI_BASE_URL",
      "HTTPS_PROXY",
    ];
    expect(passed(opencodeAdapter)).toEqual(providers);
    expect(passed(codexAdapter).toSorted()).toEqual([...providers, "CODEX_API_KEY"].toSorted());
  });
});
