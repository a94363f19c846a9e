import { execFileSync, spawnSync } from "node:child_process";
import { existsSync, mkdirSync, readdirSync, readFileSync, rmSync, utimesSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { importWork } from "../../src/workspace/import-work.ts";
import { listOrphans } from "../../src/workspace/orphans.ts";
import { WorkspacePool } from "../../src/workspace/pool.ts";
import { removeOrphan } from "../../src/workspace/remove-orphan.ts";
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
  pool.aimAtCommit(head());
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
    expect(listMounts(workspace.path)).toStrictEqual(canMount ? [workspace.path] : []);
    expect(gitIn(workspace, "status", "--porcelain")).toBe("");
    expect(gitIn(workspace, "ls-files")).toBe(project.git("ls-files"));
    expect(readFileSync(join(workspace.path, "src/deep/b.txt"), "utf8")).toBe("b\n");
    expect(workspace.dependencies).toStrictEqual([
      { path: "node_modules", way: canMount ? "overlay" : "copy" },
    ]);
  });

  it("keeps every change private", async () => {
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

  it("keeps its changes over a restart of the machine", async () => {
    const workspace = await create("US-1-DEL-001");
    writeFileSync(join(workspace.path, "src/a.txt"), "changed\n");
    for (const target of listMounts(workspace.path).toReversed()) execFileSync("umount", [target]);
    const { filesChanged } = await importWork(settings, { id: "US-1-DEL-001", message: "Work\n" });
    expect(filesChanged.map(({ path }) => path)).toStrictEqual(["src/a.txt"]);
    expect(readdirSync(join(workspace.path, "node_modules"))).toStrictEqual(["left"]);
  });

  it("is reported as gone if its changes are, instead of imported without them", async () => {
    if (!canMount) return;
    const workspace = await create("US-1-DEL-001");
    writeFileSync(join(workspace.path, "src/a.txt"), "changed\n");
    execFileSync("umount", [workspace.path]);
    const records = join(project.stateDirectory, "workspace-records/US-1-DEL-001");
    for (const name of readdirSync(records).filter((entry) => entry.startsWith("layer-")))
      rmSync(join(records, name), { recursive: true });
    const imported = importWork(settings, { id: "US-1-DEL-001", message: "Work\n" });
    await expect(imported).rejects.toMatchObject({ code: "WORKSPACE_GONE" });
  });

  it("keeps its work when its owner is killed while releasing it", async () => {
    const workspace = await create("US-1-DEL-001");
    writeFileSync(join(workspace.path, "src/a.txt"), "changed\n");
    const bin = join(project.root, "..", "bin");
    mkdirSync(bin);
    const killer = '#!/bin/sh\n/bin/umount "$@"\nkill -9 $PPID\nsleep 5\n';
    writeFileSync(join(bin, "umount"), killer, { mode: 0o755 });
    const facts = [project.root, project.home, project.stateDirectory, "US-1-DEL-001", workspace.path];
    spawnSync(process.execPath, ["scripts/run-ts.mjs", "test/workspace/release-one.ts", ...facts], {
      env: { PATH: `${bin}:${process.env["PATH"] ?? ""}` },
    });
    const owners = { live: new Set<string>(), known: new Set(["US-1-DEL-001"]) };
    const found = await listOrphans(settings, owners);
    expect(found.map(({ kind }) => kind)).toStrictEqual(canMount ? ["half-made"] : []);
    for (const orphan of found) expect(await removeOrphan(settings, orphan)).toBe(true);
    expect(await listOrphans(settings, owners)).toStrictEqual([]);
    expect(project.git("show", "refs/ambit/work/US-1-DEL-001:src/a.txt")).toBe("changed\n");
  });

  it("leaves no mount, folder or note behind on release", async () => {
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

  it("shares the template of a commit that differs little, and shows its own files", async () => {
    const old = head();
    project.write("src/a.txt", "newer\n");
    project.git("rm", "-q", "src/deep/b.txt");
    project.git("add", "-A");
    project.git("commit", "-qm", "Next");
    const workspace = await create("US-1-DEL-001");
    expect(templates()).toStrictEqual(canMount ? [`tree-${old}`] : []);
    expect(readFileSync(join(workspace.path, "src/a.txt"), "utf8")).toBe("newer\n");
    expect(existsSync(join(workspace.path, "src/deep"))).toBe(false);
    expect(gitIn(workspace, "status", "--porcelain")).toBe("");
    expect(gitIn(workspace, "ls-files")).toBe(project.git("ls-files"));
  });

  it("keeps its template while it is mounted on it, and for a while afterwards", async () => {
    const workspace = await create("US-1-DEL-001");
    const old = head();
    for (let number = 0; number < 201; number += 1) project.write(`many/${number}.txt`, "new\n");
    project.git("add", "-A");
    project.git("commit", "-qm", "Far away");
    const pool = new WorkspacePool({ ...settings, size: 0 });
    pool.aimAtCommit(head());
    await pool.settled();
    expect(templates()).toStrictEqual(canMount ? [`tree-${old}`, `tree-${head()}`].toSorted() : []);
    await releaseWorkspace(settings, { id: "US-1-DEL-001", path: workspace.path });
    pool.aimAtCommit(head());
    await pool.settled();
    // Somebody may just be mounting it.
    expect(templates()).toHaveLength(canMount ? 2 : 0);
    for (const name of templates()) utimesSync(join(project.stateDirectory, "templates", name), 1, 1);
    pool.aimAtCommit(head());
    await pool.settled();
    expect(templates()).toStrictEqual(canMount ? [`tree-${head()}`] : []);
    await pool.close();
  });
});

function templates(): readonly string[] {
  const folder = join(project.stateDirectory, "templates");
  const names = existsSync(folder) ? readdirSync(folder) : [];
  return names.filter((name) => name.startsWith("tree-")).toSorted();
}

describe("a pooled checkout over shared dependencies", () => {
  let pool: WorkspacePool;

  beforeEach(async () => {
    project.write("packages/one/index.js", "one\n");
    project.git("add", "-A");
    project.git("commit", "-qm", "Package");
    project.write("packages/one/node_modules/right/index.js", "original\n");
    pool = new WorkspacePool({ ...settings, size: 1, settleMs: 0 });
    pool.aimAtCommit(head());
    await pool.settled();
  });

  afterEach(() => pool.close());

  it.each([
    ["leaves it alone", "true"],
    ["removes and moves dependencies", "rm -rf packages/one/node_modules; mv node_modules elsewhere"],
    ["puts them in the place of sources", "rm -rf src; mv node_modules src; echo a > src/a.txt"],
    ["makes folders again", "rm -rf packages; mkdir -p packages/one; echo one > packages/one/index.js"],
    ["makes links of folders", "rm -rf packages node_modules; ln -s src packages; ln -s / node_modules"],
  ])("has its first state again for the next worker if one %s", async (_, command) => {
    const first = await pool.takeWorkspace({ id: "US-1-DEL-001", base: head() });
    expect(first.fromPool).toBe(true);
    execFileSync("/bin/sh", ["-ec", command], { cwd: first.path });
    await importWork(settings, { id: first.id, message: "Work\n" });
    expect((await pool.giveBack({ id: first.id, path: first.path })).status).toBe("released");
    await pool.settled();
    const second = await pool.takeWorkspace({ id: "US-1-DEL-002", base: head() });
    expect(second.fromPool).toBe(true);
    expect(filesIn(second.path)).toStrictEqual(filesIn(project.root));
    expect(gitIn(second, "status", "--porcelain")).toBe("");
    expect(listMounts(second.path)).toStrictEqual(canMount ? [second.path] : []);
  });

  it("is mounted again after a restart of the machine", async () => {
    // Not closed: a machine that is switched off closes nothing.
    for (const target of listMounts(project.stateDirectory)) execFileSync("umount", [target]);
    pool = new WorkspacePool({ ...settings, size: 1, settleMs: 0 });
    const workspace = await pool.takeWorkspace({ id: "US-1-DEL-001", base: head() });
    expect(workspace.fromPool).toBe(true);
    expect(filesIn(workspace.path)).toStrictEqual(filesIn(project.root));
  });

  it("is moved to another commit that contains one of the folders itself", async () => {
    project.write("packages/one/node_modules/own.js", "tracked\n");
    project.git("add", "-f", "packages/one/node_modules/own.js");
    project.git("commit", "-qm", "Vendored");
    pool.aimAtCommit(head());
    await pool.settled();
    const workspace = await pool.takeWorkspace({ id: "US-1-DEL-001", base: head() });
    expect(workspace.fromPool).toBe(true);
    expect(readdirSync(join(workspace.path, "packages/one/node_modules"))).toStrictEqual(["own.js"]);
    expect(readdirSync(join(workspace.path, "node_modules"))).toStrictEqual(["left"]);
    expect(gitIn(workspace, "status", "--porcelain", "--ignored")).toBe("!! node_modules/\n");
  });
});

function filesIn(folder: string): readonly string[] {
  const below = (path: string): readonly string[] =>
    readdirSync(join(folder, path), { withFileTypes: true }).flatMap((entry) => {
      const name = join(path, entry.name);
      if (name === ".git" || name === ".git/ambit") return [];
      return [name].concat(entry.isDirectory() ? below(name) : []);
    });
  return below("").toSorted();
}
