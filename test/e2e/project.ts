import { execFileSync, spawn, type ChildProcess } from "node:child_process";
import { mkdirSync, mkdtempSync, readdirSync, readFileSync, realpathSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { findOwner } from "../../src/supervisor/project-owner.ts";
import { supervisorFiles } from "../../src/supervisor/supervisor-files.ts";
import { removeFolder } from "./remove-folder.ts";
import { cli, runCli, trustEverything, type CliResult } from "./run-cli.ts";

/** A repository with one commit and the built CLI in it; its supervisor goes soon after the last command. */
export interface Project {
  readonly root: string;
  readonly ambit: (...words: string[]) => Promise<CliResult>;
  readonly json: (...words: string[]) => Promise<Record<string, unknown>>;
  readonly git: (...words: string[]) => string;
  readonly write: (path: string, text: string) => void;
  /** Starts a command, on a terminal of its own or on a pipe, and lets it run. */
  readonly start: (where: "terminal" | "pipe" | TerminalSize, ...words: string[]) => ChildProcess;
  readonly supervisorPid: () => Promise<number>;
  readonly remove: () => Promise<void>;
}

interface TerminalSize {
  readonly columns: number;
  readonly rows: number;
}

export function makeProject(more: Readonly<Record<string, string>> = {}, timeoutMs?: number): Project {
  const folder = realpathSync(mkdtempSync(join(tmpdir(), "ambit-e2e-")));
  const root = join(folder, "project");
  const home = join(folder, "home");
  const environment = { AMBIT_IDLE_MS: "400", TERM: "xterm", ...trustEverything, ...more };
  mkdirSync(root);
  mkdirSync(home);
  const whole = { PATH: process.env["PATH"] ?? "", HOME: home, LC_ALL: "C.UTF-8", ...environment };
  const git = (...words: string[]): string =>
    execFileSync("git", ["-c", "user.name=U", "-c", "user.email=u@example.org", ...words], {
      cwd: root,
      env: whole,
      encoding: "utf8",
    });
  const ambit = (...words: string[]): Promise<CliResult> =>
    runCli(words, { directory: root, home, environment, ...(timeoutMs === undefined ? {} : { timeoutMs }) });
  const json = async (...words: string[]): Promise<Record<string, unknown>> =>
    JSON.parse((await ambit(...words, "--json")).stdout);
  const write = (path: string, text: string): void => {
    mkdirSync(join(root, path, ".."), { recursive: true });
    writeFileSync(join(root, path), text);
  };
  git("init", "--quiet", "--initial-branch=main");
  write("a.txt", "one\n");
  write("ambit.yaml", "delegation:\n  windDown:\n    graceSeconds: 1\n");
  git("add", "-A");
  git("commit", "--quiet", "-m", "start");
  return {
    root,
    ambit,
    json,
    git,
    write,
    start: (where, ...words) => {
      const line = [process.execPath, cli, ...words]
        .map((word) => `'${word.replaceAll("'", String.raw`'\''`)}'`)
        .join(" ");
      const size = typeof where === "string" ? "" : `stty rows ${where.rows} cols ${where.columns}; exec `;
      const [program, ...rest] =
        where === "pipe" ? [process.execPath, cli, ...words] : ["script", "-qefc", size + line, "/dev/null"];
      return spawn(program ?? "", rest, { cwd: root, env: whole, stdio: ["pipe", "pipe", "pipe"] });
    },
    supervisorPid: async () => Number((await json("supervisor", "status"))["pid"]),
    remove: async () => {
      await endSupervisor(root);
      // Its processes may still be at work for a moment.
      await until("its folder can be removed", () => isRemoved(folder));
    },
  };
}

/** Everything that belongs to the person: files, index, refs except ours, stash, configuration. */
export function userState(project: Project): unknown {
  const gitFolder = join(project.root, ".git");
  return {
    files: readdirSync(project.root)
      .filter((name) => name !== ".ambit" && name !== ".git")
      .map((name) => [name, readFileSync(join(project.root, name), "utf8")]),
    index: readFileSync(join(gitFolder, "index")).toString("base64"),
    config: readFileSync(join(gitFolder, "config"), "utf8"),
    head: readFileSync(join(gitFolder, "HEAD"), "utf8"),
    refs: project
      .git("for-each-ref")
      .split("\n")
      .filter((line) => !/refs\/(?:ambit|heads\/(?:ambit|delegation))\//.test(line)),
    status: project.git("status", "--porcelain=v2"),
  };
}

/** As `ambit supervisor stop` does, but without a process of its own. */
async function endSupervisor(root: string): Promise<void> {
  const owner = findOwner(supervisorFiles(root).owner);
  if (owner === undefined) return;
  const hasLeft = (): boolean => findOwner(supervisorFiles(root).owner)?.pid !== owner.pid;
  try {
    process.kill(owner.pid, "SIGTERM");
  } catch {
    // It has left by itself.
  }
  await until("the supervisor has left", hasLeft);
}

function isRemoved(folder: string): boolean {
  try {
    removeFolder(folder);
    return true;
  } catch {
    // A process wrote into the folder while it was emptied.
    return false;
  }
}

export async function until(what: string, holds: () => boolean | Promise<boolean>): Promise<void> {
  const deadline = performance.now() + 90_000;
  while (!(await holds())) {
    if (performance.now() > deadline) throw new Error(`never happened: ${what}`);
    await new Promise((resolve) => setTimeout(resolve, 25));
  }
}

/** Processes whose command line holds a word that no other test uses. */
export function processesWith(word: string): number {
  return readdirSync("/proc").filter((name) => {
    if (!/^\d+$/.test(name)) return false;
    try {
      return readFileSync(`/proc/${name}/cmdline`, "utf8").split("\0").includes(word);
    } catch {
      // The process has ended in the meantime.
      return false;
    }
  }).length;
}
