import {
  appendFileSync,
  cpSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  realpathSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from "node:fs";
import { execFileSync } from "node:child_process";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from "vitest";
import { adoptState, openOwnState } from "../../src/project/state-directory.ts";
import { makeProject, until, type Project } from "../e2e/project.ts";
import { removeFolder } from "../e2e/remove-folder.ts";
import { runCli, runShell, type CliResult } from "../e2e/run-cli.ts";

/** A state folder with a story that a killed supervisor left open; continuing it makes the mark. */
let attacker: Project;
let stolen: string;
let marks: string;
let folder: string;
let clone: string;

beforeAll(async () => {
  marks = realpathSync(mkdtempSync(join(tmpdir(), "ambit-marks-")));
  stolen = join(marks, "state");
  attacker = makeProject();
  const program = join(marks, "program.sh");
  writeFileSync(program, `#!/bin/sh\necho ran >> '${join(marks, "ran")}'\nsleep 20\n`, { mode: 0o755 });
  attacker.start("pipe", "run", "Planted", "--id", "PLANTED", "--", program);
  await until("the story runs", () => existsSync(join(marks, "ran")));
  const pid = await attacker.supervisorPid();
  process.kill(pid, "SIGKILL");
  cpSync(join(attacker.root, ".git", "ambit"), stolen, {
    recursive: true,
    filter: (path) => !path.endsWith(".sock"),
  });
});

afterAll(async () => {
  await attacker.remove();
  rmSync(marks, { recursive: true, force: true });
});

beforeEach(() => {
  rmSync(join(marks, "ran"), { force: true });
  folder = realpathSync(mkdtempSync(join(tmpdir(), "ambit-clone-")));
  clone = join(folder, "project");
  mkdirSync(join(folder, "home"));
});

afterEach(async () => {
  await ambit("supervisor", "stop");
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

function git(directory: string, ...words: string[]): void {
  execFileSync("git", ["-c", "user.name=U", "-c", "user.email=u@example.org", ...words], {
    cwd: directory,
    stdio: "pipe",
    env: { PATH: process.env["PATH"], HOME: join(folder, "home") },
  });
}

const environment = { AMBIT_IDLE_MS: "400" };

function ambit(...words: string[]): Promise<CliResult> {
  return runCli(words, { directory: clone, home: join(folder, "home"), environment });
}

/** Makes a repository whose only commit contains the files of `plant`, and clones it as its victim would. */
function cloneWith(plant: (source: string) => void): void {
  const source = join(folder, "source");
  mkdirSync(source);
  git(source, "init", "-q", "-b", "main");
  writeFileSync(join(source, "a.txt"), "one\n");
  plant(source);
  git(source, "add", "-Af");
  git(source, "commit", "-qm", "Start");
  git(folder, "clone", "-q", source, clone);
}

const plantOldState = (source: string): void =>
  cpSync(stolen, join(source, ".ambit", "state"), { recursive: true });

const commands: readonly (readonly string[])[] = [
  ["doctor", "--fix"],
  ["stop", "PLANTED"],
  ["attach", "PLANTED"],
  ["resume", "PLANTED"],
  ["retry", "PLANTED"],
  ["message", "send", "PLANTED", "hello"],
  ["run", "Mine", "--", "true"],
  ["status"],
  ["clean"],
  ["audit", "--rebuild"],
  ["supervisor", "status"],
];

describe("a state folder that came with a clone", () => {
  it.each(commands)("is not continued by ambit %s %s", async (...words) => {
    cloneWith(plantOldState);
    await ambit(...words);
    await ambit("run", "Another", "--", "true");
    expect(existsSync(join(marks, "ran"))).toBe(false);
    expect((await ambit("status", "--all")).stdout).not.toContain("PLANTED");
  });

  it("is continued if the repository counts as the one that created it (control)", async () => {
    cloneWith(() => undefined);
    const state = join(clone, ".git", "ambit");
    cpSync(stolen, state, { recursive: true });
    adoptState(state);
    await ambit("doctor", "--fix");
    await until("the planted story runs", () => existsSync(join(marks, "ran")));
    await ambit("stop", "PLANTED");
  });

  it("is not continued by the read-only tool status of MCP", async () => {
    cloneWith(plantOldState);
    const calls = [
      {
        jsonrpc: "2.0",
        id: 1,
        method: "initialize",
        params: { protocolVersion: "2025-06-18", capabilities: {}, clientInfo: { name: "t", version: "1" } },
      },
      { jsonrpc: "2.0", method: "notifications/initialized" },
      { jsonrpc: "2.0", id: 2, method: "tools/call", params: { name: "status", arguments: {} } },
    ].map((call) => JSON.stringify(call));
    const line = `(printf '%s\\n' '${calls.join("' '")}'; sleep 3) | $ambit mcp`;
    const { stdout } = await runShell(line, { directory: clone, home: join(folder, "home"), environment });
    expect(stdout).toContain('"id":2');
    expect(existsSync(join(marks, "ran"))).toBe(false);
    expect(existsSync(join(clone, ".git", "ambit"))).toBe(false);
  });

  it("is not continued in a copy of the repository while the original is there (cp -r)", async () => {
    cloneWith(() => undefined);
    cpSync(stolen, join(clone, ".git", "ambit"), { recursive: true });
    const status = await ambit("status");
    expect(status).toMatchObject({ status: 6, stderr: expect.stringContaining("STATE_NOT_OURS") });
    await ambit("run", "Mine", "--", "true");
    expect(existsSync(join(marks, "ran"))).toBe(false);
  });
});

/** Committed links: the name in the clone, and the target outside, which must not change. */
const links: readonly (readonly [name: string, target: string])[] = [
  [".ambit/state/logs/supervisor.log", "../../../../outside/file"],
  [".ambit/state/supervisor.json", "../../../outside/file"],
  [".ambit/state/shims", "../../../outside"],
  [".ambit/state/workspaces", "../../../outside"],
  [".ambit/state/git", "../../../outside"],
  [".ambit/state", "../../outside"],
  [".ambit/.gitignore", "../../outside/file"],
  [".ambit", "../outside"],
];

describe("a link that came with a clone", () => {
  const outside = (): string => join(folder, "outside");

  beforeEach(() => {
    mkdirSync(outside());
    writeFileSync(join(outside(), "file"), "mine\n");
    writeFileSync(join(outside(), "claude"), "mine\n");
  });

  it.each(links)("at %s is not followed", async (name, target) => {
    cloneWith((source) => {
      mkdirSync(join(source, name, ".."), { recursive: true });
      symlinkSync(target, join(source, name));
    });
    appendFileSync(join(clone, "ambit.yaml"), '"$(touch ran)": 1\n');
    await ambit("doctor", "--fix");
    await ambit("run", "Mine", "--", "true");
    const found = execFileSync("sh", ["-c", "find . -type f | sort; cat file claude"], {
      cwd: outside(),
      encoding: "utf8",
    });
    expect(found).toBe("./claude\n./file\nmine\nmine\n");
  });

  it("is not followed in our own state folder either, where a plain write would follow it", async () => {
    cloneWith(() => undefined);
    openOwnState(clone);
    const log = join(clone, ".git", "ambit", "logs", "supervisor.log");
    symlinkSync(join(outside(), "file"), log);
    await ambit("run", "Mine", "--", "true");
    expect(readFileSync(join(outside(), "file"), "utf8")).toBe("mine\n");
    appendFileSync(log, "followed\n");
    expect(readFileSync(join(outside(), "file"), "utf8")).toBe("mine\nfollowed\n");
  });
});
