import {
  chmodSync,
  existsSync,
  mkdirSync,
  readFileSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from "node:fs";
import { dirname, join } from "node:path";
import { describe, expect, it } from "vitest";
import { runInProcess } from "./run-in-process.ts";
import { listFiles, temporaryFolder, temporaryRepository } from "./temporary-folder.ts";

interface Machine {
  readonly root: string;
  readonly home: string;
  readonly ambit: (...words: string[]) => Promise<{ stdout: string; stderr: string; exitCode: number }>;
  readonly json: (...words: string[]) => Promise<Record<string, unknown>>;
}

/** A project, a home folder, and a PATH with `ambit` on it. */
function machine(project: Readonly<Record<string, string>> = {}, inHome = project): Machine {
  const root = temporaryRepository(inHome === project ? project : {});
  const home = temporaryFolder({ "bin/ambit": "#!/bin/sh\n", ...(inHome === project ? {} : inHome) });
  chmodSync(join(home, "bin/ambit"), 0o755);
  const environment = { HOME: home, PATH: join(home, "bin") };
  const ambit = (...words: string[]) => runInProcess(["mcp", ...words], { directory: root, environment });
  const json = async (...words: string[]): Promise<Record<string, unknown>> =>
    JSON.parse((await ambit(...words, "--json")).stdout);
  return { root, home, ambit, json };
}

const startedBy = { type: "stdio", command: "ambit", args: ["mcp"] };
const inWorkspace = { ...startedBy, args: ["-C", "${workspaceFolder}", "mcp"] };
const DAY_MS = 86_400_000;

/** Every client and scope, its settings file, and the content that the file must have. */
const cases = [
  ["claude", "project", ".mcp.json", { mcpServers: { ambit: { ...startedBy, alwaysLoad: true } } }],
  ["claude", "user", ".claude.json", { mcpServers: { ambit: { ...startedBy, alwaysLoad: true } } }],
  [
    "gemini",
    "project",
    ".gemini/settings.json",
    { mcpServers: { ambit: { command: "ambit", args: ["mcp"], timeout: DAY_MS } } },
  ],
  [
    "gemini",
    "user",
    ".gemini/settings.json",
    { mcpServers: { ambit: { command: "ambit", args: ["mcp"], timeout: DAY_MS } } },
  ],
  [
    "opencode",
    "project",
    "opencode.json",
    { mcp: { ambit: { type: "local", command: ["ambit", "mcp"], timeout: DAY_MS } } },
  ],
  [
    "opencode",
    "user",
    ".config/opencode/opencode.json",
    { mcp: { ambit: { type: "local", command: ["ambit", "mcp"], timeout: DAY_MS } } },
  ],
  ["cursor", "project", ".cursor/mcp.json", { mcpServers: { ambit: inWorkspace } }],
  ["cursor", "user", ".cursor/mcp.json", { mcpServers: { ambit: inWorkspace } }],
  ["vscode", "project", ".vscode/mcp.json", { servers: { ambit: inWorkspace } }],
  ["vscode", "user", ".config/Code/User/mcp.json", { servers: { ambit: inWorkspace } }],
] as const;

describe.each(cases)("ambit mcp install %s for the %s", (client, scope, name, expected) => {
  it("shows the change first, writes it once with --yes, and removes it without a trace", async () => {
    const { root, home, ambit, json } = machine();
    const file = join(scope === "user" ? home : root, name);
    const before = [listFiles(root), listFiles(join(home, "bin"))];
    const shown = await ambit("install", client, `--${scope}`);
    expect(shown).toMatchObject({ exitCode: 0, stderr: "" });
    expect(shown.stdout).toContain(`+++ ${file}`);
    expect(shown.stdout).toContain("Nothing was written.");
    expect(existsSync(file)).toBe(false);
    expect(await json("install", client, `--${scope}`, "--yes")).toMatchObject({
      file,
      scope,
      written: true,
    });
    expect(JSON.parse(readFileSync(file, "utf8"))).toEqual(expected);
    const again = await json("install", client, `--${scope}`, "--yes");
    expect(again).toMatchObject({ written: false, diff: "" });
    expect((await ambit("install", client, `--${scope}`, "--undo")).stdout).toContain("Nothing was written.");
    expect(existsSync(file)).toBe(true);
    expect(await json("install", client, `--${scope}`, "--undo", "--yes")).toMatchObject({ written: true });
    expect(existsSync(file)).toBe(false);
    expect([listFiles(root), listFiles(join(home, "bin"))]).toEqual(before);
  });
});

describe("ambit mcp install codex", () => {
  const written = '[mcp_servers.ambit]\ncommand = "ambit"\nargs = ["mcp"]\ntool_timeout_sec = 86400\n';

  it("changes the user's file, or the project's on request", async () => {
    const { home, root, json } = machine();
    expect(await json("install", "codex", "--yes")).toMatchObject({ scope: "user", written: true });
    expect(readFileSync(join(home, ".codex/config.toml"), "utf8")).toBe(written);
    expect(await json("install", "codex", "--project", "--yes")).toMatchObject({ scope: "project" });
    expect(readFileSync(join(root, ".codex/config.toml"), "utf8")).toBe(written);
    await json("uninstall", "codex", "--yes");
    await json("uninstall", "codex", "--project", "--yes");
    expect(existsSync(join(home, ".codex"))).toBe(false);
    expect(existsSync(join(root, ".codex"))).toBe(false);
  });

  it("keeps every other byte of a large settings file", async () => {
    const text = [
      "# my settings\r",
      'model = "gpt" # a comment with [brackets] = "and quotes',
      'notify = [\n  "a", # one\n  ["b", {c = 1}],\n]',
      'long = """\n[mcp_servers.ambit]\ncommand = "not this"\n"""',
      "literal = '''\n[x]\n'''",
      "when = 1979-05-27 07:32:00Z",
      "[mcp_servers.other]",
      'command = "other"',
      '[projects."/work/a [b].c"]',
      'trust_level = "trusted"   ',
    ].join("\n");
    const { home, json } = machine({}, { ".codex/config.toml": text });
    const file = join(home, ".codex/config.toml");
    await json("install", "codex", "--yes");
    expect(readFileSync(file, "utf8")).toBe(`${text}\r\n\r\n${written.replaceAll("\n", "\r\n")}`);
    await json("uninstall", "codex", "--yes");
    expect(readFileSync(file, "utf8")).toBe(text);
  });

  it("updates an old entry, and leaves tables below it alone", async () => {
    const text =
      'a = 1\n\n[mcp_servers.ambit] # mine\ncommand = "old"\n\n[mcp_servers.ambit.env]\nX = "1"\n\n[z]\nb = 2\n';
    const { home, json } = machine({}, { ".codex/config.toml": text });
    const file = join(home, ".codex/config.toml");
    await json("install", "codex", "--yes");
    expect(readFileSync(file, "utf8")).toBe(
      `a = 1\n\n${written}\n[mcp_servers.ambit.env]\nX = "1"\n\n[z]\nb = 2\n`,
    );
    // The file has changed since the installation, so that only our entry is removed.
    writeFileSync(file, `${readFileSync(file, "utf8")}c = 3\n`);
    await json("uninstall", "codex", "--yes");
    expect(readFileSync(file, "utf8")).toBe("a = 1\n\n[z]\nb = 2\nc = 3\n");
  });

  it.each([
    ["an unfinished text", 'model = "gpt\n'],
    ["an unfinished long text", 'a = """\nx\n'],
    ["an unfinished list", "a = [1,\n"],
    ["a line without a value", "model\n"],
    ["two settings on one line", "a = 1 b = 2\n"],
    ["a table that occurs twice", "[a]\n[a]\n"],
    ["a key that occurs twice", "a = 1\na = 2\n"],
    ["an unfinished header of a table", "[mcp_servers.x\n"],
    ["an invalid value", "a = yes\n"],
    ["servers in an inline table", 'mcp_servers = { ambit = { command = "x" } }\n'],
    ["our entry with dotted keys", '[mcp_servers]\nambit.command = "x"\n'],
    ["our entry as a list of tables", '[[mcp_servers.ambit]]\ncommand = "x"\n'],
    ["our entry with an inline table", '[mcp_servers.ambit]\ncommand = "x"\nenv = { KEY = "1" }\n'],
  ])("refuses %s and leaves the file as it is", async (_, text) => {
    const { home, ambit } = machine({}, { ".codex/config.toml": text });
    const ending = await ambit("install", "codex", "--yes");
    expect(ending.exitCode).toBe(2);
    expect(ending.stderr).toContain("CONFIG_INVALID");
    expect(readFileSync(join(home, ".codex/config.toml"), "utf8")).toBe(text);
    expect(existsSync(join(home, ".local"))).toBe(false);
  });
});

describe("an existing settings file", () => {
  it("keeps its comments, its order, its line ends and its mode", async () => {
    const text = [
      "\uFEFF// servers of this project",
      "{",
      "\t/* do not sort */",
      '\t"mcpServers": {',
      '\t\t"zeta": { "command": "z", "args": [1,2 , 3] }, // keep',
      '\t\t"alpha": { "command": "a" } // no comma here',
      "\t},",
      '\t"other": "//not a comment",',
      "}",
      "",
    ].join("\r\n");
    const { root, json } = machine({ ".mcp.json": text });
    const file = join(root, ".mcp.json");
    chmodSync(file, 0o640);
    const { diff } = await json("install", "claude", "--yes");
    const after = readFileSync(file, "utf8");
    expect(after).toBe(
      text
        .replace('"a" } //', '"a" }, //')
        .replace(
          "no comma here\r\n",
          'no comma here\r\n\t\t"ambit": {\r\n\t\t\t"type": "stdio",\r\n\t\t\t"command": "ambit",\r\n\t\t\t"args": [\r\n\t\t\t\t"mcp"\r\n\t\t\t],\r\n\t\t\t"alwaysLoad": true\r\n\t\t}\r\n',
        ),
    );
    expect(statSync(file).mode & 0o777).toBe(0o640);
    expect(String(diff)).toMatch(/^--- .*\n\+\+\+ .*\n@@ -3,7 \+3,15 @@\n/);
    await json("uninstall", "claude", "--yes");
    expect(readFileSync(file, "utf8")).toBe(text);
    expect(statSync(file).mode & 0o777).toBe(0o640);
  });

  it("loses only our entry if it was changed in the meantime", async () => {
    const { root, json } = machine({ ".cursor/mcp.json": '{"mcpServers":{"a":{"command":"a"}}}' });
    const file = join(root, ".cursor/mcp.json");
    await json("install", "cursor", "--yes");
    expect(JSON.parse(readFileSync(file, "utf8"))).toEqual({
      mcpServers: { a: { command: "a" }, ambit: inWorkspace },
    });
    writeFileSync(file, readFileSync(file, "utf8").replace('"a":{', '"b": {}, "a":{'));
    await json("install", "cursor", "--undo", "--yes");
    expect(readFileSync(file, "utf8")).toBe('{"mcpServers":{"b": {}, "a":{"command":"a"}}}');
    expect(await json("uninstall", "cursor", "--yes")).toMatchObject({ written: false });
  });

  it("is changed at its target if it is a link", async () => {
    const { root, home, json } = machine();
    writeFileSync(join(home, "real.json"), "{}\n");
    symlinkSync(join(home, "real.json"), join(root, ".mcp.json"));
    await json("install", "claude", "--yes");
    expect(JSON.parse(readFileSync(join(home, "real.json"), "utf8"))).toHaveProperty("mcpServers.ambit");
    await json("uninstall", "claude", "--yes");
    expect(readFileSync(join(home, "real.json"), "utf8")).toBe("{}\n");
  });

  it("of OpenCode is also found as opencode.jsonc, with servers one level deeper", async () => {
    const { root, json } = machine({
      "opencode.jsonc": '{\n  "mcp": {\n    "servers": {}, // v2\n  },\n}\n',
    });
    await json("install", "opencode", "--yes");
    expect(existsSync(join(root, "opencode.json"))).toBe(false);
    const text = readFileSync(join(root, "opencode.jsonc"), "utf8");
    expect(text).toContain('"servers": {\n      "ambit": {\n        "type": "local",');
    expect(text).toContain("}, // v2\n  },\n}\n");
  });

  it.each([
    ["is cut off", '{"mcpServers": {'],
    ["is not JSON", "mcpServers: {}"],
    ["is a list", "[]"],
    ["has a list in place of its servers", '{"mcpServers": []}'],
    ["has its servers twice", '{"mcpServers": {}, "mcpServers": {}}'],
    ["has an endless comment", '{"mcpServers": {}} /* '],
    ["has more text after its end", "{} {}"],
    ["is nested too deeply", `{"a":${"[".repeat(300)}${"]".repeat(300)}}`],
  ])("that %s is refused and stays as it is", async (_, text) => {
    const { root, ambit } = machine({ ".mcp.json": text });
    const before = listFiles(root);
    const ending = await ambit("install", "claude", "--yes");
    expect(ending.exitCode).toBe(2);
    expect(ending.stderr).toContain("CONFIG_INVALID");
    expect(listFiles(root)).toEqual(before);
  });

  it("that is not text or not a file is refused", async () => {
    const { root, ambit } = machine();
    writeFileSync(join(root, ".mcp.json"), Buffer.from([0x7b, 0xff, 0x7d]));
    expect(await ambit("install", "claude", "--yes")).toMatchObject({ exitCode: 2 });
    mkdirSync(join(root, "opencode.json"));
    const ending = await ambit("install", "opencode", "--yes");
    expect(ending.stderr).toContain("INPUT_UNREADABLE");
  });
});

describe("ambit mcp install", () => {
  it("refuses a worker, an unknown client and two scopes at once", async () => {
    const { root, ambit } = machine();
    const environment = { HOME: dirname(root), PATH: "", AMBIT_TOKEN: "x" };
    const asWorker = await runInProcess(["mcp", "install", "claude", "--yes"], {
      directory: root,
      environment,
    });
    expect(asWorker.stderr).toContain("NOT_A_PERSON");
    expect(existsSync(join(root, ".mcp.json"))).toBe(false);
    expect((await ambit("install", "emacs")).stderr).toContain(
      "claude, codex, gemini, opencode, cursor, vscode",
    );
    expect(await ambit("install", "claude", "--user", "--project")).toMatchObject({ exitCode: 2 });
  });

  it("warns if ambit is not on the PATH, and writes the program's full path into the entry", async () => {
    const root = temporaryRepository();
    const environment = { HOME: temporaryFolder(), PATH: temporaryFolder() };
    const ending = await runInProcess(["mcp", "install", "claude", "--yes"], {
      directory: root,
      environment,
    });
    expect(ending.stderr).toContain("not on your PATH");
    expect(JSON.parse(readFileSync(join(root, ".mcp.json"), "utf8"))).toHaveProperty(
      "mcpServers.ambit.command",
      process.execPath,
    );
  });

  it("keeps the old content where other users cannot read it", async () => {
    const { home, json } = machine({}, { ".claude.json": '{"key":"secret"}' });
    await json("install", "claude", "--user", "--yes");
    const [record = ""] = listFiles(join(home, ".local/state/ambit/mcp-install"));
    const path = join(home, ".local/state/ambit/mcp-install", record.split(":")[0] ?? "");
    expect(readFileSync(path, "utf8")).toContain("secret");
    expect(statSync(path).mode & 0o077).toBe(0);
    await json("uninstall", "claude", "--user", "--yes");
    expect(existsSync(path)).toBe(false);
    expect(readFileSync(join(home, ".claude.json"), "utf8")).toBe('{"key":"secret"}');
  });
});
