import { spawn } from "node:child_process";
import { once } from "node:events";
import {
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  realpathSync,
  rmSync,
  statSync,
  symlinkSync,
  utimesSync,
  writeFileSync,
} from "node:fs";
import { join } from "node:path";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { type Candidate, CandidateReserve } from "../../src/workspace/candidate.ts";
import { listOrphans, type Orphan } from "../../src/workspace/orphans.ts";
import { WorkspacePool } from "../../src/workspace/pool.ts";
import { canMountOverlay } from "../../src/workspace/prepare/overlay.ts";
import { removeOrphan } from "../../src/workspace/remove-orphan.ts";
import { createWorkspace, type SetUp } from "../../src/workspace/worktree.ts";
import { bundleProgram } from "./kill-at-git-call.ts";
import { makeRepository, runPlainGit, type TemporaryRepository } from "./temporary-repository.ts";
import { userState } from "./user-state.ts";

const id = "US-1-DEL-001";
let project: TemporaryRepository;
let base: string;
let commit: string;

beforeEach(async () => {
  project = await makeRepository({
    ".gitignore": "*.log\nnode_modules/\n",
    "src/a.txt": "a\n",
    "src/b.txt": "b\n",
  });
  base = project.git("rev-parse", "HEAD").trim();
  commit = commitFiles({ "src/a.txt": "candidate\n", "src/new.txt": "new\n" });
  project.git("reset", "-q", "--hard", base);
});

afterEach(() => project.remove());

function commitFiles(files: Readonly<Record<string, string>>): string {
  for (const [path, content] of Object.entries(files)) project.write(path, content);
  project.git("add", "-A");
  project.git("commit", "-qm", "Candidate");
  return project.git("rev-parse", "HEAD").trim();
}

function gitIn(candidate: Candidate, ...words: string[]): string {
  return runPlainGit(candidate.path, words, project.home).trim();
}

function orphans(): Promise<readonly Orphan[]> {
  return listOrphans(project, { live: new Set(), known: new Set([id]) });
}

describe("the checkout of a candidate", () => {
  it("gives changed files a later time than earlier build output, without a change for git", async () => {
    const times = ({ path }: Candidate): readonly number[] =>
      ["src/a.txt", "src/new.txt", "src/b.txt"].map((name) => statSync(join(path, name)).mtimeMs);
    const changed = ["src/a.txt", "src/new.txt", "src/removed.txt"];
    const reserve = new CandidateReserve(project);
    try {
      for (const _ of ["fresh", "used"]) {
        const candidate = await reserve.checkOut({ id, commit, changed });
        const [a = 0, added = 0, b = 0] = times(candidate);
        expect(Math.min(a, added)).toBeGreaterThan(b);
        // Without a refresh of its own, this one goes by the times that the index knows.
        expect(gitIn(candidate, "diff-files", "--name-only")).toBe("");
        // A check builds something; when the next one starts, it is what git has again.
        writeFileSync(join(candidate.path, "src/b.txt"), "built\n");
        await candidate.release();
      }
    } finally {
      await reserve.close();
    }
  });

  it("never touches a file behind a link that setup made", async () => {
    const outside = join(project.home, "outside");
    mkdirSync(outside);
    writeFileSync(join(outside, "a.txt"), "a\n");
    utimesSync(join(outside, "a.txt"), 1, 1);
    const setUp: SetUp = ({ path }) => {
      rmSync(join(path, "src"), { recursive: true });
      symlinkSync(outside, join(path, "src"));
      return Promise.resolve(undefined);
    };
    const candidate = await new CandidateReserve({ ...project, setUp }, 0).checkOut({
      id,
      commit,
      changed: ["src/a.txt"],
    });
    expect(realpathSync(join(candidate.path, "src"))).toBe(realpathSync(outside));
    expect(statSync(join(outside, "a.txt")).mtimeMs).toBe(1000);
    await candidate.release();
  });

  it("contains exactly the commit, on no branch, with dependencies and ports, and disappears on release", async () => {
    project.write("node_modules/dep/index.js", "dep\n");
    const before = userState(project);
    const candidate = await new CandidateReserve(project, 0).checkOut({ id, commit });
    expect(gitIn(candidate, "rev-parse", "HEAD")).toBe(commit);
    expect(gitIn(candidate, "status", "--porcelain", "--branch", "--untracked-files=all")).toBe(
      "## HEAD (no branch)",
    );
    expect(readFileSync(join(candidate.path, "src/new.txt"), "utf8")).toBe("new\n");
    expect(readFileSync(join(candidate.path, "node_modules/dep/index.js"), "utf8")).toBe("dep\n");
    expect(Number(candidate.environment["AMBIT_PORT_BASE"])).toBeGreaterThan(0);
    expect((await candidate.changedFiles(base)).map(({ path, kind }) => `${kind} ${path}`)).toStrictEqual([
      "changed src/a.txt",
      "added src/new.txt",
    ]);
    expect(await orphans()).toStrictEqual([]);
    await candidate.release();
    await candidate.release();
    expect(existsSync(candidate.path)).toBe(false);
    expect(project.git("for-each-ref", "refs/heads/delegation", "refs/ambit")).toBe("");
    expect(project.git("worktree", "list").trim().split("\n")).toHaveLength(1);
    expect(userState(project)).toStrictEqual(before);
    expect(await orphans()).toStrictEqual([]);
  });

  it("does not need the worker's workspace, its id or the pool's places", async () => {
    await createWorkspace(project, { id, base });
    const pool = new WorkspacePool({ ...project, size: 1, settleMs: 0 });
    pool.aimAtCommit(base);
    await pool.settled();
    const [one, two] = await Promise.all([
      new CandidateReserve(project, 0).checkOut({ id, commit }),
      new CandidateReserve(project, 0).checkOut({ id, commit }),
    ]);
    expect(one.path).not.toBe(two.path);
    expect(pool.waiting).toBe(1);
    await Promise.all([one.release(), two.release()]);
    await pool.close();
  });

  it("is unmounted without waiting for the disk, which a worker's files do", async ({ skip }) => {
    mkdirSync(project.stateDirectory, { recursive: true });
    if (!(await canMountOverlay(process.env["PATH"] ?? "", project.stateDirectory))) skip();
    const candidate = await new CandidateReserve(project, 0).checkOut({ id, commit });
    const worker = await createWorkspace(project, { id, base });
    const mounts = readFileSync("/proc/self/mountinfo", "utf8").split("\n");
    const describe = (path: string) => mounts.find((line) => line.includes(` ${path} `));
    expect(describe(candidate.path)).toMatch(/\bvolatile\b/);
    expect(describe(worker.path)).toContain("overlay");
    expect(describe(worker.path)).not.toMatch(/\bvolatile\b/);
    await candidate.release();
  });

  it("is found and removed after a kill, without a journal", async () => {
    const program = await bundleProgram("test/workspace/candidate-and-die.ts");
    try {
      const child = spawn(
        process.execPath,
        [program, project.root, project.home, project.stateDirectory, id, commit],
        {
          stdio: ["ignore", "pipe", "inherit"],
        },
      );
      const [said] = await once(child.stdout, "data");
      const path = String(said).trim();
      await once(child, "exit");
      expect(existsSync(path)).toBe(true);
      const found = await orphans();
      expect(found).toMatchObject([{ kind: "half-made", path }]);
      for (const orphan of found) expect(await removeOrphan(project, orphan)).toBe(true);
      expect(existsSync(path)).toBe(false);
      expect(await orphans()).toStrictEqual([]);
    } finally {
      rmSync(program);
    }
  });
});

describe("a reserve of candidates", () => {
  it("reuses a checkout without the files that checks left", async () => {
    const reserve = new CandidateReserve(project);
    const first = await reserve.checkOut({ id, commit });
    writeFileSync(join(first.path, "src/a.txt"), "spoilt\n");
    writeFileSync(join(first.path, "left.txt"), "left\n");
    writeFileSync(join(first.path, "left.log"), "left\n");
    mkdirSync(join(first.path, "build/deep"), { recursive: true });
    rmSync(join(first.path, "src/b.txt"));
    await first.release();
    const second = await reserve.checkOut({ id: "US-1-DEL-002", commit: base });
    expect(second.path).toBe(first.path);
    expect(gitIn(second, "rev-parse", "HEAD")).toBe(base);
    expect(gitIn(second, "status", "--porcelain", "--ignored", "--untracked-files=all")).toBe("");
    expect(readdirSync(second.path).toSorted()).toStrictEqual([".git", ".gitignore", "src"]);
    const third = await reserve.checkOut({ id, commit });
    expect(third.path).not.toBe(second.path);
    await second.release();
    await third.release();
    await reserve.close();
    expect(readdirSync(join(project.stateDirectory, "workspaces"))).toStrictEqual([]);
    expect(await orphans()).toStrictEqual([]);
  });

  it("discards a checkout whose git pointers were changed", async () => {
    const reserve = new CandidateReserve(project);
    const first = await reserve.checkOut({ id, commit });
    writeFileSync(join(first.path, ".git"), "gitdir: /elsewhere\n");
    await first.release();
    const second = await reserve.checkOut({ id, commit });
    expect(second.path).not.toBe(first.path);
    expect(gitIn(second, "status", "--porcelain")).toBe("");
    await reserve.close();
    await second.release();
    expect(existsSync(second.path)).toBe(false);
  });
});
