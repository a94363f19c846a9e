import { execFileSync } from "node:child_process";
import { mkdirSync, symlinkSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { beforeEach, describe, expect, it } from "vitest";
import { configKeys } from "../../src/contract/config-keys.ts";
import { agentCarriers } from "../../src/agents/agent-programs.ts";
import { definitionFolders } from "../../src/agents/definitions/folders.ts";
import { findTrustItems, hashItems } from "../../src/trust/find-items.ts";
import { temporaryFolder } from "../cli/temporary-folder.ts";

let root: string;

beforeEach(() => {
  root = temporaryFolder();
});

function write(path: string, text: string): void {
  mkdirSync(dirname(join(root, path)), { recursive: true });
  writeFileSync(join(root, path), text);
}

const found = async (): Promise<readonly string[]> =>
  (await findTrustItems(root)).map(({ file, field, text }) => `${file}|${field ?? ""}|${text}`);

const HARMLESS = ["tasks.dir", "verification.artifactTypes", "agents.default"];
const isList = (key: string): boolean => configKeys.some((one) => one.key === key && one.type === "list");

describe("what a project names", () => {
  it("is nothing in a project with limits, instructions and harmless settings alone", async () => {
    write("ambit.yaml", "delegation:\n  maxDepth: 1\nagents:\n  default: claude\n");
    write("CLAUDE.md", "Be brief.\n");
    write(".claude/settings.json", '{"permissions": {"allow": ["Bash(ls)"]}, "hooks": {}, "model": "opus"}');
    write("src/.claude/note.md", "x");
    expect(await found()).toEqual([]);
  });

  it("is every command of ambit.yaml, with its key", async () => {
    write(
      "ambit.yaml",
      'workspace:\n  "set\\x75p": npm ci\n  dir: ../trees\n  network: true\nverification:\n  test: npm test\n',
    );
    expect(await found()).toEqual([
      "ambit.yaml|workspace.setup|npm ci",
      "ambit.yaml|workspace.dir|../trees",
      "ambit.yaml|workspace.network|true",
      "ambit.yaml|verification.test|npm test",
    ]);
  });

  it("is decided for every setting with a text of the project's choice", async () => {
    const texts = configKeys.filter(({ type }) => type === "text" || type === "list").map(({ key }) => key);
    const named: string[] = [];
    for (const key of texts) {
      const [section = "", ...rest] = key.split(".");
      write("ambit.yaml", JSON.stringify({ [section]: { [rest.join(".")]: isList(key) ? ["x"] : "x" } }));
      if ((await found()).length > 0) named.push(key);
    }
    // A new setting that is a command needs a line in read-settings.ts; one that is not belongs to the second list.
    expect(named).toEqual(["workspace.dir", "workspace.setup", "verification.test"]);
    expect(texts.filter((key) => !named.includes(key))).toEqual(HARMLESS);
  });

  it("is each field of a settings file that is not harmless, and all of one that is not plain JSON", async () => {
    write(".claude/settings.json", '{"model": "x", "env": {"A": "1"}, "apiKeyHelper": "./key.sh"}');
    write(".mcp.json", '{"mcpServers": {"a": 1}, // comment\n}');
    expect(await found()).toEqual([
      '.mcp.json||{"mcpServers": {"a": 1}, // comment\n}',
      '.claude/settings.json|env|{\n  "A": "1"\n}',
      ".claude/settings.json|apiKeyHelper|./key.sh",
    ]);
  });

  it("is a variable of .env that sends requests elsewhere, and no other", async () => {
    write(
      ".env",
      "DATABASE_URL=x\nGEMINI_API_KEY=key\nexport  GOOGLE_GEMINI_BASE_URL = https://evil.example\n",
    );
    expect(await found()).toEqual([".env|GOOGLE_GEMINI_BASE_URL|https://evil.example"]);
    write(".env", "DATABASE_URL=x\nNODE_OPTIONS_OF_MINE=1\n");
    expect(await found()).toEqual([]);
  });

  it("is every file of a folder, without packages that a tool installed", async () => {
    write(".opencode/plugin/deep/a.ts", "a");
    write(".opencode/plugin/node_modules/x/index.js", "x");
    write(".ambit/agents/helper.md", "adapter: command");
    expect(await found()).toEqual([
      ".ambit/agents/helper.md||adapter: command",
      ".opencode/plugin/deep/a.ts||a",
    ]);
  });

  it("is what links inside the project lead to; links out of it are named, pipes are not waited for", async () => {
    write("tools/settings.json", '{"hooks": "x"}');
    symlinkSync("tools", join(root, ".claude"));
    symlinkSync("/etc/hostname", join(root, ".mcp.json"));
    mkdirSync(join(root, ".codex"));
    execFileSync("mkfifo", [join(root, ".codex/config.toml")]);
    symlinkSync("missing", join(root, ".gemini"));
    const items = await found();
    expect(items).toContain(".claude/settings.json|hooks|x");
    expect(items).toContain(".mcp.json||(a link to /etc/hostname)");
    expect(items).toContain(".codex/config.toml||(not a regular file)");
    expect(items).toContain(".gemini/settings.json||(a link that leads nowhere)");
  });

  it("has one hash, in which every byte counts and the order does not", async () => {
    write(".claude/hooks/a.sh", "a");
    write(".claude/hooks/b.sh", "b".repeat(3 * 1024 * 1024));
    const before = await findTrustItems(root);
    expect(hashItems(before.toReversed())).toBe(hashItems(before));
    write(".claude/hooks/b.sh", `${"b".repeat(3 * 1024 * 1024 - 1)}c`);
    const after = await findTrustItems(root);
    expect(hashItems(after)).not.toBe(hashItems(before));
    expect(after[1]).toMatchObject({ isCut: true });
  });

  it("includes every folder in which agents and commands are defined", () => {
    const covered = new Set([".ambit/agents", ...agentCarriers.map(({ path }) => path)]);
    for (const { path, rules } of definitionFolders)
      for (const folder of [path, ...(rules?.commandFolders ?? [])]) expect(covered).toContain(folder);
  });
});
