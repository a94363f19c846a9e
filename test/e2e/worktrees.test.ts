import { execFileSync } from "node:child_process";
import { existsSync, mkdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { makeProject, type Project } from "./project.ts";
import { runCli, type CliResult } from "./run-cli.ts";

let project: Project;
beforeEach(() => {
  project = makeProject();
});
afterEach(() => project.remove());

const home = (): string => join(dirname(project.root), "home");

function ambitAt(directory: string, ...words: string[]): Promise<CliResult> {
  return runCli(words, { directory, home: home(), environment: { AMBIT_IDLE_MS: "20000", TERM: "xterm" } });
}

function gitAt(directory: string, ...words: string[]): string {
  const identity = ["-c", "user.name=U", "-c", "user.email=u@example.org"];
  const env = { PATH: process.env["PATH"] ?? "", HOME: home(), LC_ALL: "C" };
  return execFileSync("git", [...identity, ...words], { cwd: directory, env, encoding: "utf8" });
}

/** Lists the files that the worker sees, and the file that workspace.setup made. */
const worker = [
  "- run: [sh, -c, 'ls > seen.txt; cat made.txt >> seen.txt 2>/dev/null; true']",
  "- return: {status: completed, summary: 'Listed.', artifacts: [{type: implementation, path: seen.txt}]}",
].join("\n");

function writeFiles(root: string, files: Readonly<Record<string, string>>): void {
  for (const [path, text] of Object.entries(files)) {
    mkdirSync(dirname(join(root, path)), { recursive: true });
    writeFileSync(join(root, path), text);
  }
}

/** A worktree on its own branch, with a commit, an agent and settings that the main checkout does not have. */
function addFeature(from: string, place: string): void {
  gitAt(from, "worktree", "add", "--quiet", "-b", "feat", place);
  writeFiles(place, {
    "feat.txt": "feature\n",
    ".gitignore": "made.txt\n",
    "work.yaml": worker,
    ".ambit/agents/lister.md": `---\nname: lister\nadapter: scripted\ncommand: [${join(place, "work.yaml")}]\n---\nList.\n`,
    "ambit.yaml": "agents:\n  default: lister\nworkspace:\n  setup: echo of feat > made.txt\n",
  });
  gitAt(place, "add", "-A");
  gitAt(place, "commit", "--quiet", "-m", "feature");
}

describe("a linked worktree", () => {
  it("is the current project: base, settings and agents come from it, and the merge goes there", async () => {
    const feature = join(dirname(project.root), "feature");
    addFeature(project.root, feature);
    project.write("work.yaml", worker);
    const start = project.git("rev-parse", "main");
    const first = await ambitAt(project.root, "run", "List", "--id", "M1", "--script", "work.yaml");
    expect(first.status).toBe(0);
    const pid = await project.supervisorPid();
    const run = await ambitAt(feature, "run", "List", "--id", "F1");
    expect([run.status, run.stderr]).toEqual([0, expect.any(String)]);
    expect(gitAt(feature, "show", "ambit/F1:seen.txt")).toContain("feat.txt");
    expect(gitAt(feature, "show", "ambit/F1:seen.txt")).toContain("of feat");
    expect(gitAt(feature, "show", "ambit/M1:seen.txt")).not.toMatch(/feat/);
    expect(gitAt(feature, "merge-base", "ambit/F1", "feat")).toBe(gitAt(feature, "rev-parse", "feat"));
    // One store and one supervisor for both.
    expect(await project.supervisorPid()).toBe(pid);
    expect((await ambitAt(project.root, "status", "--all")).stdout).toContain("F1");
    const merged = await ambitAt(feature, "merge", "F1", "--yes");
    expect([merged.status, merged.stderr]).toEqual([0, expect.any(String)]);
    expect(gitAt(feature, "show", "feat:seen.txt")).toContain("feat.txt");
    expect(existsSync(join(feature, "seen.txt"))).toBe(true);
    expect(project.git("rev-parse", "main")).toBe(start);
    // Workspaces stay next to the main checkout.
    expect(existsSync(`${feature}.worktrees`)).toBe(false);
  });

  it("of a bare repository is a project like any other", async () => {
    const bare = join(dirname(project.root), "bare.git");
    const feature = join(dirname(project.root), "of-bare");
    gitAt(dirname(project.root), "clone", "--quiet", "--bare", project.root, bare);
    addFeature(bare, feature);
    try {
      const run = await ambitAt(feature, "run", "List", "--id", "B1");
      expect([run.status, run.stderr]).toEqual([0, expect.any(String)]);
      expect(gitAt(feature, "show", "ambit/B1:seen.txt")).toContain("feat.txt");
      expect((await ambitAt(feature, "merge", "B1", "--yes")).status).toBe(0);
      expect(existsSync(join(feature, "seen.txt"))).toBe(true);
      expect((await ambitAt(bare, "run", "List", "--id", "B2", "--", "true")).stderr).toContain(
        "git worktree add",
      );
    } finally {
      await ambitAt(feature, "supervisor", "stop");
    }
  });
});

describe("something that a workspace lacks", () => {
  it("is reported by run and by doctor: empty submodules, files behind a filter", async () => {
    project.write("work.yaml", worker);
    const plain = await ambitAt(project.root, "run", "List", "--id", "N1", "--script", "work.yaml");
    expect(plain.stderr).not.toContain("in workspaces");
    const library = join(dirname(project.root), "library");
    mkdirSync(library);
    gitAt(library, "init", "--quiet");
    gitAt(library, "commit", "--quiet", "--allow-empty", "-m", "start");
    project.git("-c", "protocol.file.allow=always", "submodule", "--quiet", "add", library, "vendor/library");
    project.write(".gitattributes", "*.bin filter=lfs\n");
    project.git("add", "-A");
    project.git("commit", "--quiet", "-m", "layout");
    const run = await ambitAt(project.root, "run", "List", "--id", "N2", "--script", "work.yaml");
    const doctor = await ambitAt(project.root, "doctor");
    expect(doctor.stdout).toContain(`workspaces         in ${project.root}.worktrees/ambit; `);
    for (const text of [run.stderr, doctor.stdout]) {
      expect(text).toContain("vendor/library are empty in workspaces");
      expect(text).toContain("Files behind lfs are pointers in workspaces");
    }
  });

  it("can be a signature: merge says so if the person signs commits, and names the command that signs", async () => {
    project.write("work.yaml", worker);
    expect((await ambitAt(project.root, "run", "List", "--id", "G1", "--script", "work.yaml")).status).toBe(
      0,
    );
    const unsigned = await ambitAt(project.root, "merge", "G1", "--yes");
    expect(unsigned.stderr).not.toContain("signed");
    project.git("config", "commit.gpgsign", "true");
    expect((await ambitAt(project.root, "merge", "G1", "--undo", "--yes")).status).toBe(0);
    const merged = await ambitAt(project.root, "merge", "G1", "--yes");
    expect(merged.status).toBe(0);
    expect(merged.stderr).toContain("Ambit's commits are not signed");
    expect(merged.stderr).toContain("--gpg-sign");
  });

  it("can be a signature that merge adds: one commit by the person, signed, and undone like any other", async () => {
    project.write("work.yaml", worker);
    expect((await ambitAt(project.root, "run", "List", "--id", "G1", "--script", "work.yaml")).status).toBe(
      0,
    );
    const start = project.git("rev-parse", "main");
    const key = join(project.root, "..", "key");
    execFileSync("ssh-keygen", ["-q", "-t", "ed25519", "-N", "", "-f", key]);
    const own = { "user.name": "Person", "user.email": "person@example.org" };
    const signing = { "gpg.format": "ssh", "user.signingKey": key, "commit.gpgsign": "true" };
    for (const [name, value] of Object.entries({ ...own, ...signing })) project.git("config", name, value);
    const shown = await ambitAt(project.root, "merge", "G1", "--dry-run");
    expect(shown.stderr).toContain("--sign merges this as one commit with your signature");
    const merged = await ambitAt(project.root, "merge", "G1", "--sign", "--yes");
    expect(merged.stderr).not.toContain("not signed");
    expect(merged.status).toBe(0);
    const allowed = join(project.root, "..", "allowed");
    writeFileSync(allowed, `* ${readFileSync(`${key}.pub`, "utf8")}`);
    project.git("-c", `gpg.ssh.allowedSignersFile=${allowed}`, "verify-commit", "main");
    expect(project.git("log", "-1", "--format=%P %an %cn", "main").trim()).toBe(
      `${start.trim()} Person Person`,
    );
    expect((await ambitAt(project.root, "merge", "G1", "--undo", "--yes")).status).toBe(0);
    expect(project.git("rev-parse", "main")).toBe(start);
    rmSync(key);
    const refused = await ambitAt(project.root, "merge", "G1", "--sign", "--yes");
    expect(refused.status).not.toBe(0);
    expect(refused.stderr).toContain("The commit could not be signed");
    expect(project.git("rev-parse", "main")).toBe(start);
  });
});
