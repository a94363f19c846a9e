import { spawn } from "node:child_process";
import { chmodSync, existsSync, mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { once } from "node:events";
import { join } from "node:path";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { importWork } from "../../src/workspace/import-work.ts";
import { listOrphans, type Orphan } from "../../src/workspace/orphans.ts";
import { removeOrphan } from "../../src/workspace/remove-orphan.ts";
import { emptyTrash, releaseWorkspace } from "../../src/workspace/remove.ts";
import { createWorkspace, type Workspace, type WorkspaceSettings } from "../../src/workspace/worktree.ts";
import { makeKillingGit } from "./killing-git.ts";
import {
  makeRepository,
  removeByHand,
  runPlainGit,
  type TemporaryRepository,
} from "./temporary-repository.ts";
import { userState } from "./user-state.ts";

const id = "US-1-DEL-001";
let project: TemporaryRepository;
let settings: WorkspaceSettings;

beforeEach(async () => {
  project = await makeRepository();
  settings = { repository: project.repository, stateDirectory: project.stateDirectory };
});

afterEach(() => project.remove());

function create(name = id): Promise<Workspace> {
  return createWorkspace(settings, { id: name, base: project.git("rev-parse", "HEAD").trim() });
}

function gitIn(workspace: Workspace, ...words: string[]): string {
  return runPlainGit(workspace.path, ["-c", "user.name=w", "-c", "user.email=w@w", ...words], project.home);
}

function orphans(live: readonly string[] = [], known: readonly string[] = live): Promise<readonly Orphan[]> {
  return listOrphans(settings, { live: new Set(live), known: new Set(known) });
}

describe("releasing a workspace", () => {
  it("removes folder, branch and git's notes, and keeps the work under our refs (R89)", async () => {
    const before = userState(project);
    const workspace = await create();
    writeFileSync(join(workspace.path, "src/a.txt"), "work\n");
    const { tip } = await importWork(settings, { id, message: "Work\n" });
    const released = await releaseWorkspace(settings, { id, path: workspace.path });
    expect(released).toMatchObject({ status: "released" });
    expect(existsSync(workspace.path)).toBe(false);
    expect(existsSync(join(project.root, ".git/worktrees"))).toBe(false);
    expect(project.git("branch", "--list", "delegation/*")).toBe("");
    expect(project.git("show", `refs/ambit/work/${id}:src/a.txt`)).toBe("work\n");
    // With its layer, where its changes went to one.
    expect(await emptyTrash(project.stateDirectory)).toBeGreaterThanOrEqual(2);
    expect(readdirSync(join(project.stateDirectory, "trash"))).toStrictEqual([]);
    project.git("reflog", "expire", "--expire=now", "--all");
    project.git("gc", "-q", "--prune=now");
    expect(project.git("cat-file", "-t", tip).trim()).toBe("commit");
    project.git("pack-refs", "--all");
    expect(userState(project)["refs"]).toBe(before["refs"]);
    expect(await orphans([], [id])).toStrictEqual([]);
  });

  it("keeps the branch on request", async () => {
    const workspace = await create();
    await releaseWorkspace(settings, { id, path: workspace.path, keepBranch: true });
    expect(project.git("branch", "--list", "delegation/*").trim()).toBe(`delegation/${id}`);
  });

  it("refuses while some work is not imported", async () => {
    const workspace = await create();
    writeFileSync(join(workspace.path, "notes.txt"), "unsaved\n");
    const refused = await releaseWorkspace(settings, { id, path: workspace.path });
    expect(refused).toMatchObject({ status: "refused", code: "WORK_NOT_SAVED" });
    expect(refused).toHaveProperty("reason", "not imported yet: notes.txt");
    expect(existsSync(join(workspace.path, "notes.txt"))).toBe(true);
    const discarded = await releaseWorkspace(settings, { id, path: workspace.path, discardUnsaved: true });
    expect(discarded.status).toBe("released");
  });

  it("refuses while a nested repository has files that were not imported", async () => {
    const workspace = await create();
    gitIn(workspace, "init", "-q", "inner");
    const request = { id, path: workspace.path };
    writeFileSync(join(workspace.path, "inner/file"), "unsaved\n");
    const refused = await releaseWorkspace(settings, request);
    expect(refused).toMatchObject({ code: "WORK_NOT_SAVED", reason: "not imported yet: inner/file" });
    await importWork(settings, { id, message: "Work\n" });
    gitIn(workspace, "init", "-q", "empty");
    expect((await releaseWorkspace(settings, request)).status).toBe("released");
  });

  it("refuses while a commit is kept by none of our refs, even when told to discard", async () => {
    const workspace = await create();
    gitIn(workspace, "commit", "-q", "--allow-empty", "-m", "Not imported");
    const refused = await releaseWorkspace(settings, { id, path: workspace.path, discardUnsaved: true });
    expect(refused).toMatchObject({ status: "refused", code: "WORK_NOT_REACHABLE" });
    expect(existsSync(workspace.path)).toBe(true);
  });

  it("refuses a path that is not the recorded one, and an unknown workspace", async () => {
    const workspace = await create();
    const victim = join(project.root, "src");
    for (const request of [
      { id, path: victim },
      { id: "US-9", path: workspace.path },
      { id, path: `${workspace.path}/../${id}` },
    ])
      expect(await releaseWorkspace(settings, request)).toMatchObject({ code: "WORKSPACE_NOT_OURS" });
    expect(existsSync(victim)).toBe(true);
    expect(existsSync(workspace.path)).toBe(true);
  });

  it("forgets a workspace that was deleted by hand, and no other missing worktree", async () => {
    const workspace = await create();
    project.git("worktree", "add", "-q", "--detach", join(project.root, "../theirs"));
    rmSync(join(project.root, "../theirs"), { recursive: true });
    removeByHand(workspace.path);
    expect((await releaseWorkspace(settings, { id, path: workspace.path })).status).toBe("released");
    expect(readdirSync(join(project.root, ".git/worktrees"))).toStrictEqual(["theirs"]);
    expect((await create()).path).toBe(workspace.path);
  });

  it("deletes folders whose permissions a worker removed", async () => {
    const workspace = await create();
    mkdirSync(join(workspace.path, "closed/inner"), { recursive: true });
    writeFileSync(Buffer.concat([Buffer.from(`${workspace.path}/closed/inner/`), Buffer.from([0xe9])]), "x");
    chmodSync(join(workspace.path, "closed/inner"), 0);
    chmodSync(join(workspace.path, "closed"), 0);
    await releaseWorkspace(settings, { id, path: workspace.path, discardUnsaved: true });
    await emptyTrash(project.stateDirectory);
    expect(readdirSync(join(project.stateDirectory, "trash"))).toStrictEqual([]);
  });
});

describe("orphans", () => {
  it("do not exist while every workspace has a live owner", async () => {
    await create();
    expect(await orphans([id])).toStrictEqual([]);
  });

  it("are workspaces, branches and refs of unknown delegations", async () => {
    const workspace = await create();
    const base = project.git("rev-parse", "HEAD").trim();
    expect(await orphans()).toStrictEqual([
      { kind: "workspace", id, path: workspace.path },
      { kind: "ref", id, ref: `refs/ambit/base/${id}`, commit: base },
      { kind: "branch", id, ref: `refs/heads/delegation/${id}`, commit: base },
    ]);
  });

  it("include leftovers of killed processes, and can be removed unless they hold files", async () => {
    await create();
    const { commonDirectory } = project.repository;
    writeFileSync(join(commonDirectory, "refs/heads/delegation/US-2.lock"), "");
    writeFileSync(join(commonDirectory, "refs/heads/theirs.lock"), "");
    mkdirSync(join(project.stateDirectory, "git/999999999-abc"), { recursive: true });
    mkdirSync(join(project.stateDirectory, "workspaces/empty"));
    mkdirSync(join(project.stateDirectory, "workspaces/strange"));
    writeFileSync(join(project.stateDirectory, "workspaces/strange/work.txt"), "whose?\n");
    writeFileSync(
      join(project.stateDirectory, "ports/20990"),
      `${project.stateDirectory}/workspace-records/gone\n`,
    );
    const found = await orphans([id]);
    expect(found.map(({ kind }) => kind).toSorted()).toStrictEqual([
      "port-claim",
      "ref-lock",
      "scratch",
      "unknown-folder",
      "unknown-folder",
    ]);
    for (const orphan of found) await removeOrphan(settings, orphan);
    expect(await orphans([id])).toStrictEqual([
      { kind: "unknown-folder", path: join(project.stateDirectory, "workspaces/strange") },
    ]);
    expect(existsSync(join(commonDirectory, "refs/heads/theirs.lock"))).toBe(true);
  });

  it.each([
    ["ls-files", ["half-made"]],
    ["read-tree", ["half-made"]],
    ["update-ref", ["workspace"]],
  ])("are found if creation was killed at %s, and then the id is free again", async (moment, kinds) => {
    const base = project.git("rev-parse", "HEAD").trim();
    const bin = makeKillingGit(join(project.root, "..", "bin"), moment);
    const facts = [project.root, project.home, project.stateDirectory, id, base];
    const child = spawn(process.execPath, ["scripts/run-ts.mjs", "test/workspace/create-one.ts", ...facts], {
      env: { PATH: `${bin}:${process.env["PATH"] ?? ""}` },
      stdio: "ignore",
    });
    await once(child, "exit");
    const found = await orphans([], [id]);
    // The kill may also leave the private folder of the git call it hit.
    expect(found.map(({ kind }) => kind).filter((kind) => kind !== "scratch")).toStrictEqual(kinds);
    for (const orphan of found) {
      if (orphan.kind === "workspace") await releaseWorkspace(settings, { id, path: orphan.path });
      else expect(await removeOrphan(settings, orphan)).toBe(true);
    }
    expect(await orphans([], [id])).toStrictEqual([]);
    expect(existsSync(join(project.root, ".git/worktrees"))).toBe(false);
    expect((await create()).branch).toBe(`delegation/${id}`);
  });

  it("are removed if their owner died after all was saved, and stay otherwise", async () => {
    const workspace = await create();
    const orphan: Orphan = { kind: "workspace", id, path: workspace.path };
    expect(await removeOrphan(settings, orphan)).toBe(false);
    const claim = join(project.stateDirectory, "workspace-records", id, "claim.json");
    writeFileSync(claim, readFileSync(claim, "utf8").replace(/"pid":\d+/, '"pid":999999999'));
    writeFileSync(join(workspace.path, "src/a.txt"), "work\n");
    expect(await removeOrphan(settings, orphan)).toBe(false);
    await importWork(settings, { id, message: "Work\n" });
    expect(await removeOrphan(settings, orphan)).toBe(true);
    expect(existsSync(workspace.path)).toBe(false);
    expect(project.git("show", `delegation/${id}:src/a.txt`)).toBe("work\n");
    expect(await orphans([], [id])).toStrictEqual([]);
  });

  it("are never taken from the record of an id that contains a dot", async () => {
    const workspace = await create("US-1.999999999-DEL-001");
    expect(await orphans(["US-1.999999999-DEL-001"])).toStrictEqual([]);
    expect(existsSync(workspace.path)).toBe(true);
  });

  it("lose their branch only if its commits are kept", async () => {
    project.git("branch", "delegation/US-3");
    const lost = project.git("commit-tree", "-m", "Lost", "HEAD^{tree}").trim();
    project.git("update-ref", "refs/heads/delegation/US-4", lost);
    const found = await orphans();
    const answers = await Promise.all(found.map((orphan) => removeOrphan(settings, orphan)));
    expect(answers).toStrictEqual([true, false]);
    expect(project.git("branch", "--list", "delegation/*").trim()).toBe("delegation/US-4");
  });
});
