import { execFileSync } from "node:child_process";
import { existsSync, readdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { importWork } from "../../src/workspace/import-work.ts";
import { listOrphans } from "../../src/workspace/orphans.ts";
import { WorkspacePool } from "../../src/workspace/pool.ts";
import { canMountOverlay, listMounts } from "../../src/workspace/prepare/overlay.ts";
import { emptyTrash, releaseWorkspace } from "../../src/workspace/remove.ts";
import { createWorkspace, type Workspace, type WorkspaceSettings } from "../../src/workspace/worktree.ts";
import { makeRepository, runPlainGit, type TemporaryRepository } from "./temporary-repository.ts";

/** All of this holds with and without the right to mount; only the number of mounts differs. */
let project: TemporaryRepository;
let settings: WorkspaceSettings;
let canMount: boolean;

beforeEach(async () => {
  project = await makeRepository({
    ".gitignore": "node_modules/\n",
    "src/a.txt": "a\n",
    "src/deep/b.txt": "b\n",
    "run.sh": "#!/bin/sh\n",
  });
  project.write("node_modules/left/index.js", "original\n");
  settings = { repository: project.repository, stateDirectory: project.stateDirectory };
  // A pool of nothing still keeps a template of the current commit.
  const pool = new WorkspacePool({ ...settings, size: 0 });
  pool.aim(head());
  await pool.settled();
  await pool.close();
  canMount = await canMountOverlay(process.env["PATH"] ?? "", project.stateDirectory);
});

afterEach(() => project.remove());

function head(): string {
  return project.git("rev-parse", "HEAD").trim();
}

function create(id: string): Promise<Workspace> {
  return createWorkspace(settings, { id, base: head() });
}

function gitIn(workspace: Workspace, ...words: string[]): string {
  return runPlainGit(workspace.path, ["-c", "user.name=w", "-c", "user.email=w@w", ...words], project.home);
}

describe("a workspace over a template", () => {
  it("is complete and clean", async () => {
    const workspace = await create("US-1-DEL-001");
    expect(listMounts(workspace.path)).toHaveLength(canMount ? 2 : 0);
    expect(gitIn(workspace, "status", "--porcelain")).toBe("");
    expect(gitIn(workspace, "ls-files")).toBe(project.git("ls-files"));
    expect(readFileSync(join(workspace.path, "src/deep/b.txt"), "utf8")).toBe("b\n");
    expect(workspace.dependencies).toStrictEqual([
      { path: "node_modules", way: canMount ? "overlay" : "copy" },
    ]);
  });

  it("keeps every change to itself", async () => {
    const first = await create("US-1-DEL-001");
    writeFileSync(join(first.path, "src/a.txt"), "changed\n");
    writeFileSync(join(first.path, "run.sh"), "appended\n", { flag: "a" });
    gitIn(first, "mv", "src/deep", "moved");
    gitIn(first, "commit", "-qam", "Moved");
    const second = await create("US-1-DEL-002");
    expect(gitIn(second, "status", "--porcelain")).toBe("");
    expect(readFileSync(join(second.path, "src/a.txt"), "utf8")).toBe("a\n");
    const { filesChanged } = await importWork(settings, { id: "US-1-DEL-001", message: "Work\n" });
    expect(filesChanged.map(({ path }) => path)).toStrictEqual([
      "moved/b.txt",
      "run.sh",
      "src/a.txt",
      "src/deep/b.txt",
    ]);
  });

  it("survives a restart of the machine", async () => {
    const workspace = await create("US-1-DEL-001");
    writeFileSync(join(workspace.path, "src/a.txt"), "changed\n");
    for (const target of listMounts(workspace.path).toReversed()) execFileSync("umount", [target]);
    const { filesChanged } = await importWork(settings, { id: "US-1-DEL-001", message: "Work\n" });
    expect(filesChanged.map(({ path }) => path)).toStrictEqual(["src/a.txt"]);
    expect(readdirSync(join(workspace.path, "node_modules"))).toStrictEqual(["left"]);
  });

  it("leaves no mount, folder or note behind when it is released", async () => {
    const workspace = await create("US-1-DEL-001");
    writeFileSync(join(workspace.path, "node_modules/left/index.js"), "changed\n");
    const released = await releaseWorkspace(settings, { id: "US-1-DEL-001", path: workspace.path });
    expect(released.status).toBe("released");
    await emptyTrash(project.stateDirectory);
    expect(listMounts(project.stateDirectory)).toStrictEqual([]);
    expect(existsSync(workspace.path)).toBe(false);
    expect(readdirSync(join(project.stateDirectory, "trash"))).toStrictEqual([]);
    expect(readdirSync(join(project.stateDirectory, "workspace-records"))).toStrictEqual([]);
    const owners = { live: new Set<string>(), known: new Set(["US-1-DEL-001"]) };
    expect(await listOrphans(settings, owners)).toStrictEqual([]);
    expect(readFileSync(join(project.root, "node_modules/left/index.js"), "utf8")).toBe("original\n");
  });

  it("keeps its template while it stands on it, and no longer", async () => {
    const workspace = await create("US-1-DEL-001");
    const old = head();
    project.git("commit", "-q", "--allow-empty", "-m", "Next");
    const pool = new WorkspacePool({ ...settings, size: 0 });
    const templates = (): readonly string[] =>
      readdirSync(project.stateDirectory).includes("templates")
        ? readdirSync(join(project.stateDirectory, "templates")).filter((name) => name.startsWith("tree-"))
        : [];
    pool.aim(head());
    await pool.settled();
    expect(templates().toSorted()).toStrictEqual(
      canMount ? [`tree-${old}`, `tree-${head()}`].toSorted() : [],
    );
    await releaseWorkspace(settings, { id: "US-1-DEL-001", path: workspace.path });
    pool.aim(head());
    await pool.settled();
    expect(templates()).toStrictEqual(canMount ? [`tree-${head()}`] : []);
    await pool.close();
  });
});
