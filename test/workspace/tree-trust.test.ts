import { execFileSync } from "node:child_process";
import { lstatSync, mkdirSync, readdirSync, readFileSync, rmSync, utimesSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";
import { CandidateReserve } from "../../src/workspace/candidate.ts";
import { WorkspacePool } from "../../src/workspace/pool.ts";
import { canMountOverlay } from "../../src/workspace/prepare/overlay.ts";
import { useCandidate } from "../../src/workspace/use-candidate.ts";
import { createWorkspace } from "../../src/workspace/worktree.ts";
import { makeRepository, type TemporaryRepository } from "./temporary-repository.ts";

const id = "US-1-DEL-001";
let project: TemporaryRepository;
let commit: string;
let reserve: CandidateReserve;
let canMount: boolean;

beforeEach(async () => {
  project = await makeRepository({ ".gitignore": "*.log\n", "src/a.txt": "aaaa\n", "src/b.txt": "b\n" });
  commit = project.git("rev-parse", "HEAD").trim();
  reserve = new CandidateReserve(project);
  mkdirSync(project.stateDirectory, { recursive: true });
  canMount = await canMountOverlay(process.env["PATH"] ?? "", project.stateDirectory);
});

afterEach(async () => {
  await reserve.close();
  project.remove();
});

function trees(): readonly string[] {
  const names = readdirSync(join(project.stateDirectory, "templates"));
  return names.filter((name) => name.startsWith("tree-")).toSorted();
}

/** Where a worker that may write everywhere finds the files that others are shown. */
function shared(...path: string[]): string {
  return join(project.stateDirectory, "templates", `tree-${commit}`, ...path);
}

/** The same length and the same time: only what the kernel keeps tells. */
function poison(): void {
  const file = shared("tree/src/a.txt");
  const { atime, mtime } = lstatSync(file);
  writeFileSync(file, "evil\n");
  utimesSync(file, atime, mtime);
}

/** Makes the index beside the tree swear that nothing was changed. */
function agreeWithPoison(): void {
  const place = [`--git-dir=${join(project.root, ".git")}`, `--work-tree=${shared("tree")}`];
  const env = { ...process.env, HOME: project.home, GIT_INDEX_FILE: shared("index") };
  const git = (...more: string[]) => execFileSync("git", [...place, ...more], { env, encoding: "utf8" });
  git("update-index", "--assume-unchanged", "src/a.txt");
  expect(git("status", "--short", "--untracked-files=no")).toBe("");
}

const read = (folder: string): string => readFileSync(join(folder, "src/a.txt"), "utf8");

describe("a tree that checkouts share", () => {
  it("is not used again after another program wrote to it", async ({ skip }) => {
    if (!canMount) skip();
    const candidate = await reserve.checkOut({ id, commit });
    expect(await candidate.wasLeftAlone()).toBe(true);
    poison();
    // What checks would run over, without that comparison.
    expect(read(candidate.path)).toBe("evil\n");
    expect(await candidate.wasLeftAlone()).toBe(false);
    await candidate.release();
    const next = await reserve.checkOut({ id, commit });
    expect(read(next.path)).toBe("aaaa\n");
    expect(await next.wasLeftAlone()).toBe(true);
    await next.release();
    expect(read((await createWorkspace(project, { id, base: commit })).path)).toBe("aaaa\n");
    expect(trees()).toStrictEqual([`tree-${commit}`, `tree-${commit}-2`]);
  });

  const writes: readonly (readonly [string, () => void])[] = [
    ["one file more, which git ignores", () => writeFileSync(shared("tree/src/more.log"), "x")],
    ["one file less", () => rmSync(shared("tree/src/b.txt"))],
    ["a folder for hooks", () => mkdirSync(shared("tree/src/.git"))],
    ["another index", () => writeFileSync(shared("index"), "")],
    ["nothing at all any more", () => rmSync(shared(), { recursive: true })],
  ];
  it.each(writes)("is found changed by %s", async (_, write) => {
    const candidate = await reserve.checkOut({ id, commit });
    if (canMount) write();
    expect(await candidate.wasLeftAlone()).toBe(!canMount);
    await candidate.release();
  });

  it("is not handed out by the pool after another program wrote to it", async ({ skip }) => {
    if (!canMount) skip();
    const pool = new WorkspacePool({ ...project, size: 2 });
    pool.aimAtCommit(commit);
    await pool.settled();
    poison();
    expect(await (await reserve.checkOut({ id, commit })).wasLeftAlone()).toBe(false);
    const workspace = await pool.takeWorkspace({ id, base: commit });
    expect(read(workspace.path)).toBe("aaaa\n");
    await pool.close();
  });

  it("is reused from another process only if all of it matches the commit", async ({ skip }) => {
    if (!canMount) skip();
    const checkOutAnew = async (): Promise<string> => {
      vi.resetModules();
      const { CandidateReserve } = await import("../../src/workspace/candidate.ts");
      const candidate = await new CandidateReserve(project, 0).checkOut({ id, commit });
      const text = read(candidate.path);
      expect(await candidate.wasLeftAlone()).toBe(true);
      await candidate.release();
      return text;
    };
    expect(await checkOutAnew()).toBe("aaaa\n");
    expect(await checkOutAnew()).toBe("aaaa\n");
    expect(trees()).toStrictEqual([`tree-${commit}`]);
    poison();
    agreeWithPoison();
    expect(await checkOutAnew()).toBe("aaaa\n");
    expect(trees()).toStrictEqual([`tree-${commit}`, `tree-${commit}-2`]);
  });
});

describe("findings about a candidate", () => {
  it("are collected again if the files changed, and given up if they change again", async ({ skip }) => {
    if (!canMount) skip();
    const seen: string[] = [];
    const checkOut = () => reserve.checkOut({ id, commit });
    const once = await useCandidate(checkOut, ({ path }) => {
      if (seen.length === 0) poison();
      seen.push(read(path));
      return Promise.resolve(seen.length);
    });
    expect({ once, seen }).toStrictEqual({ once: 2, seen: ["evil\n", "aaaa\n"] });
    const always = useCandidate(checkOut, () => {
      for (const tree of trees())
        writeFileSync(join(project.stateDirectory, "templates", tree, "tree/new.txt"), "x");
      return Promise.resolve("green");
    });
    await expect(always).rejects.toMatchObject({ code: "WORKSPACE_TAMPERED" });
  });
});
