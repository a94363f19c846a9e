import { execFileSync } from "node:child_process";
import {
  chmodSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  realpathSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { until } from "../e2e/project.ts";
import { removeFolder } from "../e2e/remove-folder.ts";
import { runCli, type CliResult } from "../e2e/run-cli.ts";
import { connect } from "../mcp/connect.ts";

interface Carrier {
  readonly name: string;
  /** Files of the clone; `line` makes the mark and stays for a while. */
  readonly files: (line: string) => Readonly<Record<string, string>>;
  /** Links of the clone, to what they lead. */
  readonly links?: Readonly<Record<string, string>>;
  /** What the victim runs after `ambit run "Fix the bug"`. */
  readonly words: readonly string[];
  /** The agent to which an agent of the victim delegates. */
  readonly agent: string;
}

/** Programs on the victim's PATH, which obey the project's settings as the real ones do. */
const obeying: Readonly<Record<string, readonly string[]>> = {
  claude: [".claude/settings.json", ".claude/settings.local.json", ".claude/hooks/start.json"],
  codex: [".codex/config.toml"],
  gemini: [".gemini/settings.json"],
  opencode: ["opencode.json", ".opencode/plugin/evil.js"],
  qwen: [".qwen/settings.json", ".mcp.json"],
};

const hooks = (line: string): string =>
  JSON.stringify({ hooks: { SessionStart: [{ hooks: [{ type: "command", command: line }] }] } }, null, 1);
const servers = (line: string): string =>
  JSON.stringify({ mcpServers: { helper: { command: line } } }, null, 1);
const definition = (line: string): string =>
  `---\nadapter: command\ncommand: ["sh", "-c", ${JSON.stringify(line)}]\ndescription: Helps\n---\nHelp.\n`;
const settings = (text: string): Readonly<Record<string, string>> => ({ "ambit.yaml": text });

/** A criterion whose command makes the mark. */
const criterion = (line: string): string => `running \`${line}\` exits with code 0`;
const tasks = (fields: object): Readonly<Record<string, string>> => ({
  "specs/state.json": JSON.stringify({
    next_project_number: 327,
    active_projects: [{ project_number: 326, title: "Fix the bug", status: "not_started", ...fields }],
  }),
});

/** Something in the clone that runs after the work, or when an agent asks for it. */
interface LaterCarrier extends Pick<Carrier, "files"> {
  readonly name: string;
  /** What the victim runs. */
  readonly words: readonly string[];
  /** How the command is named in the refusal. */
  readonly shown: string;
  /** The victim's own program that it makes run. */
  readonly program?: string;
}

/** In these clones nothing else would run. */
const later: readonly LaterCarrier[] = [
  {
    name: "a criterion of a task by ambit run",
    files: (line) => tasks({ criteria: [criterion(line)] }),
    words: ["run", "326", "--detach", "--", "finisher"],
    shown: "specs/state.json task 326: touch",
  },
  {
    name: "the check of a task by ambit implement",
    files: (line) =>
      tasks({ status: "planned", acceptance_criteria: [{ text: "It works", check: { command: line } }] }),
    words: ["implement", "326", "--detach", "--agent", "own"],
    shown: "specs/state.json task 326: touch",
  },
  {
    name: "a criterion of a PRD file by ambit run",
    files: (line) => ({
      "prd.json": JSON.stringify({
        project: "p",
        userStories: [{ id: "US-1", title: "Fix the bug", acceptanceCriteria: [criterion(line)] }],
      }),
    }),
    words: ["run", "prd.json", "--detach", "--", "finisher"],
    shown: "prd.json story US-1: touch",
  },
  {
    name: "an MCP server of ambit.yaml that an agent calls",
    files: (line) => settings(`agents:\n  mcp:\n    helper: ${JSON.stringify(line)}\n`),
    words: ["run", "Fix the bug", "--detach", "--", "speaker"],
    shown: "agents.mcp",
  },
  {
    name: "a reviewer of ambit.yaml",
    files: () => settings("verification:\n  reviewer: codex\n"),
    words: ["run", "Fix the bug", "--accept", "The text is friendly", "--detach", "--", "finisher"],
    shown: "verification.reviewer: codex",
    program: "codex",
  },
];

/** The gate tries the first four, and AMBIT_ATTACKS=all tries every one. */
const carriers: readonly Carrier[] = [
  {
    name: "workspace.setup of ambit.yaml",
    files: (line) => settings(`workspace:\n  setup: ${JSON.stringify(line)}\n`),
    words: ["--", "true"],
    agent: "claude",
  },
  {
    name: "an agent in .ambit/agents, as the project's default",
    files: (line) => ({
      ".ambit/agents/helper.md": definition(line),
      ...settings("agents:\n  default: helper\n"),
    }),
    words: [],
    agent: "helper",
  },
  {
    name: "a hook in .claude/settings.json",
    files: (line) => ({ ".claude/settings.json": hooks(line) }),
    words: ["--agent", "claude"],
    agent: "claude",
  },
  {
    name: "workspace.setup of a file that --config names",
    files: (line) => ({ "ci/fast.yaml": `workspace:\n  setup: ${JSON.stringify(line)}\n` }),
    words: ["--config", "ci/fast.yaml", "--", "true"],
    agent: "worker",
  },
  {
    name: "verification.test of ambit.yaml",
    files: (line) => settings(`verification:\n  test: ${JSON.stringify(line)}\n`),
    words: ["--accept", "all tests pass", "--", "finisher"],
    agent: "worker",
  },
  {
    name: "a hook in .claude/settings.local.json",
    files: (line) => ({ ".claude/settings.local.json": hooks(line) }),
    words: ["--agent", "claude"],
    agent: "claude",
  },
  {
    name: "an agent in .claude/agent/subagents that names another adapter",
    files: (line) => ({ ".claude/agent/subagents/helper.md": definition(line) }),
    words: ["--agent", "helper"],
    agent: "helper",
  },
  {
    name: "an agent in .claude/agents that names another adapter",
    files: (line) => ({ ".claude/agents/helper.md": definition(line) }),
    words: ["--agent", "helper"],
    agent: "helper",
  },
  {
    name: "a folder that a link calls .claude",
    files: (line) => ({ "tools/settings.json": hooks(line) }),
    links: { ".claude": "tools" },
    words: ["--agent", "claude"],
    agent: "claude",
  },
  {
    name: "an MCP server in .gemini/settings.json",
    files: (line) => ({ ".gemini/settings.json": servers(line) }),
    words: ["--agent", "gemini"],
    agent: "gemini",
  },
  {
    name: "a program in .codex/config.toml",
    files: (line) => ({ ".codex/config.toml": `[mcp_servers.helper]\ncommand = ${JSON.stringify(line)}\n` }),
    words: ["--agent", "codex"],
    agent: "codex",
  },
  {
    name: "an MCP server in opencode.json",
    files: (line) => ({ "opencode.json": servers(line) }),
    words: ["--agent", "opencode"],
    agent: "opencode",
  },
  {
    name: "a plugin in .opencode/plugin",
    files: (line) => ({ ".opencode/plugin/evil.js": `command = ${JSON.stringify(line)}\n` }),
    words: ["--agent", "opencode"],
    agent: "opencode",
  },
  {
    name: "an MCP server in .mcp.json, with a program of the victim's own",
    files: (line) => ({ ".mcp.json": servers(line) }),
    words: ["--", "qwen"],
    agent: "qwen-like",
  },
  {
    name: "an MCP server in .qwen/settings.json, with a program of the victim's own",
    files: (line) => ({ ".qwen/settings.json": servers(line) }),
    words: ["--", "qwen"],
    agent: "qwen-like",
  },
];

const isWhole = process.env["AMBIT_ATTACKS"] === "all";
const tried = isWhole ? carriers : carriers.slice(0, 4);

let folder: string;
let clone: string;
let mark: string;

beforeEach(() => {
  folder = realpathSync(mkdtempSync(join(tmpdir(), "ambit-untrusted-")));
  clone = join(folder, "project");
  mark = join(folder, "ran");
  mkdirSync(join(folder, "home"));
  mkdirSync(join(folder, "programs"));
  for (const [name, files] of Object.entries(obeying)) writeProgram(name, obey(name, files));
  writeProgram("finisher", ["#!/usr/bin/env node", finish]);
  writeProgram("speaker", ["#!/bin/sh", "echo '[use-mcp:helper/look]'"]);
});

afterEach(async () => {
  await ambit("1", "supervisor", "stop");
  await until("the folder can be removed", () => {
    try {
      removeFolder(folder);
      return true;
    } catch {
      // The supervisor is on its way out.
      return false;
    }
  });
});

function writeProgram(name: string, lines: readonly string[]): void {
  const path = join(folder, "programs", name);
  writeFileSync(path, `${lines.join("\n")}\n`);
  chmodSync(path, 0o755);
}

/** A program of the victim's own that changes a file and says so. */
const finish = `
const { writeFileSync } = require("node:fs");
writeFileSync("a.txt", "two\\n");
const metadata = JSON.parse(process.env.AMBIT_RETURN_METADATA);
const fields = { status: "completed", summary: "Changed a file.", artifacts: [], metadata };
writeFileSync(process.env.AMBIT_RETURN_FILE, JSON.stringify(fields));`;

/** A program that runs the commands of these files, unless its flags say that the project is foreign. */
function obey(name: string, files: readonly string[]): readonly string[] {
  return [
    "#!/bin/sh",
    'case "$1" in --version) echo 2.1.0; exit 0;; esac',
    'case " $* " in *" --setting-sources user "*) exit 1;; esac',
    ...(name === "gemini" ? ['case " $* " in *" --skip-trust "*) ;; *) exit 1;; esac'] : []),
    `for file in ${files.join(" ")}; do`,
    '  [ -f "$file" ] || continue',
    '  line=$(sed -n \'s/.*command"\\{0,1\\} *[:=] *"\\(.*\\)".*/\\1/p\' "$file")',
    '  sh -c "$line"',
    "done",
    "exit 1",
  ];
}

const environment = (trust: string): Readonly<Record<string, string>> => ({
  PATH: `${join(folder, "programs")}:${process.env["PATH"] ?? ""}`,
  ANTHROPIC_API_KEY: "key",
  AMBIT_IDLE_MS: "400",
  AMBIT_TRUST: trust,
});

function ambit(trust: string, ...words: string[]): Promise<CliResult> {
  const call = { directory: clone, home: join(folder, "home"), environment: environment(trust) };
  return runCli(words, call);
}

function git(directory: string, ...words: string[]): void {
  execFileSync("git", ["-c", "user.name=U", "-c", "user.email=u@example.org", ...words], {
    cwd: directory,
    stdio: "pipe",
    env: { PATH: process.env["PATH"], HOME: join(folder, "home") },
  });
}

/** The attacker's repository, cloned by its victim. */
function cloneProject({ files, links = {} }: Pick<Carrier, "files" | "links">): void {
  const source = join(folder, "source");
  mkdirSync(source);
  git(source, "init", "-q", "-b", "main");
  const all = { "a.txt": "one\n", ...files(`touch ${mark}; sleep 20`) };
  for (const [path, text] of Object.entries(all)) {
    mkdirSync(dirname(join(source, path)), { recursive: true });
    writeFileSync(join(source, path), text);
  }
  for (const [path, target] of Object.entries(links)) symlinkSync(target, join(source, path));
  git(source, "add", "-Af");
  git(source, "commit", "-qm", "Start");
  git(folder, "clone", "-q", source, clone);
}

const hasRun = (): boolean => existsSync(mark);
const run = (trust: string, { words }: Carrier): Promise<CliResult> =>
  ambit(trust, "run", "Fix the bug", "--id", "FIX", "--detach", ...words);

/** Delegates as an agent of the victim does in the clone. */
async function delegate(trust: string, { agent }: Carrier): Promise<string> {
  const home = join(folder, "home");
  const client = await connect("current client", {
    environment: { HOME: home, ...environment(trust) },
    directory: clone,
  });
  try {
    const tasks = [{ description: "Fix the bug", agent, accept: ["all tests pass"] }];
    const { value, text } = await client.call("delegate", { tasks, wait_seconds: 0 });
    return `${JSON.stringify(value)}${String(text)}`;
  } finally {
    if (trust === "1") await until("the carrier ran", hasRun);
    await client.close();
  }
}

describe("a project that was not trusted", () => {
  it.each(tried)("does not run $name by ambit run", async (carrier) => {
    cloneProject(carrier);
    const { status, stderr } = await run("0", carrier);
    expect(stderr).toContain("PROJECT_NOT_TRUSTED");
    expect(stderr).toContain("ambit trust");
    expect(status).toBe(2);
    expect(existsSync(join(clone, ".git", "ambit"))).toBe(false);
    await run("1", carrier);
    await until("the carrier runs once it is allowed: the control", hasRun);
    await ambit("1", "stop", "FIX");
  });

  const named = tried.filter(({ agent }) => agent in obeying || agent === "helper");
  it.each(named)("does not run $name by an agent's MCP tool delegate", async (carrier) => {
    cloneProject(carrier);
    expect(await delegate("0", carrier)).toContain("PROJECT_NOT_TRUSTED");
    expect(existsSync(join(clone, ".git", "ambit"))).toBe(false);
    await delegate("1", carrier);
    expect(hasRun()).toBe(true);
  });

  it.each(tried)("does not continue with $name by doctor --fix, resume or attach", async (carrier) => {
    cloneProject(carrier);
    await run("1", carrier);
    await until("the carrier runs", hasRun);
    await killSupervisor();
    rmSync(mark);
    for (const words of [
      ["doctor", "--fix"],
      ["resume", "FIX"],
      ["attach", "FIX"],
    ])
      expect((await ambit("0", ...words)).stderr).toContain("PROJECT_NOT_TRUSTED");
    expect(hasRun()).toBe(false);
    await ambit("1", "doctor", "--fix");
    await until("the carrier runs once it is allowed: the control", hasRun);
    await ambit("1", "stop", "FIX");
  });

  it.each(later)("does not run $name", async ({ files, words, shown, program }) => {
    cloneProject({ files });
    if (program !== undefined)
      writeProgram(program, ["#!/bin/sh", '[ "$1" = --version ] && exec echo 2.1.0', `touch ${mark}`]);
    const { status, stderr } = await ambit("0", ...words);
    expect(stderr).toContain("PROJECT_NOT_TRUSTED");
    expect(stderr).toContain(shown);
    expect(status).toBe(2);
    expect(hasRun()).toBe(false);
    // A workflow command takes no program of the victim's, only a definition.
    mkdirSync(join(clone, ".ambit/agents"), { recursive: true });
    writeFileSync(join(clone, ".ambit/agents/own.md"), definition("finisher"));
    await ambit("1", ...words);
    await until("the command runs once it is allowed: the control", hasRun);
  });

  it("is not continued by a stop, which ends the story and its processes", async () => {
    const [carrier] = carriers;
    if (carrier === undefined) return;
    cloneProject(carrier);
    await run("1", carrier);
    await until("the carrier runs", hasRun);
    expect(countRunning()).toBeGreaterThan(0);
    await killSupervisor();
    rmSync(mark);
    const { status, stdout } = await ambit("0", "stop", "FIX", "--json");
    expect(JSON.parse(stdout)).toMatchObject({ id: "FIX", stopped: true });
    expect(status).toBe(0);
    expect(hasRun()).toBe(false);
    expect(countRunning()).toBe(0);
    expect((await ambit("0", "stop", "FIX", "--json")).stdout).toContain('"stopped":false');
  });

  const planted = { AMBIT_TOKEN: "planted", AMBIT_RUN_ID: "planted" };
  it.each([
    ["a token", { AMBIT_TOKEN: "planted" }],
    ["the mark of a run", { AMBIT_RUN_ID: "planted" }],
    ["a token and a socket that is not there", { ...planted, AMBIT_SOCKET: "/nowhere/worker.sock" }],
  ])("is not continued where its .envrc gave the person %s", async (_name, variables) => {
    const [carrier] = carriers;
    if (carrier === undefined) return;
    cloneProject(carrier);
    await run("1", carrier);
    await until("the carrier runs", hasRun);
    await killSupervisor();
    rmSync(mark);
    const call = (trust: string, ...words: string[]) =>
      runCli(words, {
        directory: clone,
        home: join(folder, "home"),
        environment: { ...environment(trust), ...variables },
      });
    for (const words of [
      ["attach", "FIX"],
      ["verify", "FIX", "--rerun"],
    ])
      expect((await call("0", ...words)).stderr).toContain("PROJECT_NOT_TRUSTED");
    expect(hasRun()).toBe(false);
    const attached = call("1", "attach", "FIX");
    await until("the carrier runs once it is allowed: the control", hasRun);
    await ambit("1", "stop", "FIX");
    await attached;
  });

  it("cannot allow itself with AMBIT_TRUST in a file of its own, even in an escaped spelling", async () => {
    cloneProject({
      files: (line) => ({
        ".ambit/agents/helper.md": definition(line),
        ".mcp.json": String.raw`{"mcpServers": {"ambit": {"command": "ambit", "env": {"AMBIT\u005fTRUST": "1"}}}}`,
      }),
    });
    const { stderr } = await ambit("1", "run", "Fix the bug", "--agent", "helper");
    expect(stderr).toContain("PROJECT_NOT_TRUSTED");
    expect(hasRun()).toBe(false);
  });

  it("can be read without a question, and reading never runs anything", async () => {
    cloneProject({ files: (line) => ({ ...settings(`workspace:\n  setup: ${line}\n`) }) });
    for (const words of [["status"], ["doctor"], ["agents", "list"], ["trust", "--show"], ["config", "list"]])
      expect((await ambit("0", ...words)).stderr).not.toContain("PROJECT_NOT_TRUSTED");
    const { stdout } = await ambit("0", "run", "Fix the bug", "--dry-run", "--agent", "claude", "--json");
    expect(JSON.parse(stdout)).not.toHaveProperty("error");
    expect(hasRun()).toBe(false);
  });
});

/** Processes with the carrier's command, in whatever namespace. */
function countRunning(): number {
  const ids = readdirSync("/proc").filter((name) => /^\d+$/u.test(name));
  return ids.filter((id) => isAlive(Number(id)) && readCommand(id).includes(`touch ${mark}`)).length;
}

function readCommand(id: string): string {
  try {
    return readFileSync(`/proc/${id}/cmdline`, "utf8");
  } catch {
    // The process has ended in the meantime.
    return "";
  }
}

function isAlive(pid: number): boolean {
  try {
    return !readFileSync(`/proc/${pid}/stat`, "utf8").includes(") Z ");
  } catch {
    return false;
  }
}

/** Kills the supervisor as a crash would, without a message to its processes. */
async function killSupervisor(): Promise<void> {
  const { stdout } = await ambit("1", "supervisor", "status", "--json");
  const { pid } = JSON.parse(stdout);
  process.kill(pid, "SIGKILL");
  await until("it is gone", () => !isAlive(pid));
}
