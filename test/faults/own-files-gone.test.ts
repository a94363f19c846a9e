import { spawnSync } from "node:child_process";
import { existsSync, readdirSync, readFileSync, renameSync, rmSync } from "node:fs";
import { join } from "node:path";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { makeProject, until, userState, type Project } from "../e2e/project.ts";
import { stateOf } from "./proc-state.ts";
import { startWorker, type WaitingWorker } from "./waiting-worker.ts";

const removeAll = (project: Project, names: readonly string[]): void => {
  for (const name of names) rmSync(join(project.root, ".git/ambit", name), { recursive: true, force: true });
};

describe("a person who deletes our files in the middle of a story", () => {
  let project: Project;
  let worker: WaitingWorker;
  beforeEach(async () => {
    project = makeProject();
    // The worker ends slowly, so that a second owner would find it running.
    worker = startWorker(project, { id: "G1", first: "trap '' TERM; echo half > half.txt" });
    await worker.isWaiting();
  });
  afterEach(async () => {
    worker.letGo();
    await worker.ended;
    worker.remove();
    await project.remove();
  });

  it.each([
    ["the whole state", ["."]],
    ["the lock", ["supervisor.lock"]],
    ["the note of the owner", ["supervisor.json"]],
    ["the store", ["ambit.db", "ambit.db-wal", "ambit.db-shm"]],
    ["the log of the store", ["ambit.db-wal", "ambit.db-shm"]],
    ["lock, note and sockets", ["supervisor.lock", "supervisor.json", "supervisor.sock", "worker.sock"]],
  ])("finds only one supervisor at a time, which keeps the work and leaves: %s", async (_name, names) => {
    const before = userState(project);
    const first = await project.supervisorPid();
    removeAll(project, names);
    // The next one waits until the first one has left.
    const second = project.ambit("doctor", "--fix");
    expect(worker.isRunning()).toBe(true);
    await until("the first supervisor has left", () => {
      const owner = readOwner(project);
      if (owner !== undefined && owner !== first) expect([owner, worker.isRunning()]).toEqual([owner, false]);
      return stateOf(first) === undefined;
    });
    // The doctor may report the rest of a story that no store knows, because a person has to judge it.
    const fixed = await second;
    expect([0, 6], fixed.stdout + fixed.stderr).toContain(fixed.status);
    expect(project.git("show", "delegation/G1:half.txt")).toBe("half\n");
    expect(userState(project)).toEqual(before);
    expect(existsSync(join(project.root, "half.txt"))).toBe(false);
    const run = await project.ambit(
      "run",
      "Next",
      "--id",
      "G2",
      "--check",
      "true",
      "--",
      "sh",
      "-c",
      "echo x > x",
    );
    expect([run.status, run.stderr]).toEqual([0, expect.not.stringContaining("✖")]);
  });

  it("is not kept from working when the note of the state folder's place is deleted", async () => {
    const supervisor = await project.supervisorPid();
    const note = join(project.root, ".git/ambit/place.json");
    rmSync(note);
    await until("the note is back", () => existsSync(note));
    expect(await project.json("status", "G1")).toMatchObject({ is_over: false });
    expect(await project.supervisorPid()).toBe(supervisor);
    worker.letGo();
    expect((await worker.ended).status).toBe(3);
    await project.ambit("supervisor", "stop");

    rmSync(note);
    for (const words of [["status"], ["run", "x", "--", "true"], ["doctor"]]) {
      const { status, stdout, stderr } = await project.ambit(...words);
      expect([status, stdout + stderr]).toEqual([6, expect.stringContaining("clean --foreign-state adopt")]);
    }
    expect((await project.ambit("clean", "--foreign-state", "adopt")).status).toBe(0);
    expect(await project.json("status", "G1")).toMatchObject({ is_over: true });
    expect((await project.ambit("doctor", "--fix")).status).toBe(0);
  });

  it("keeps every event, though the log of the store was deleted", async () => {
    removeAll(project, ["ambit.db-wal", "ambit.db-shm"]);
    expect((await worker.ended).status).toBe(3);
    await project.ambit("supervisor", "stop");
    expect(await project.json("status", "G1")).toMatchObject({ is_over: true });
    expect((await project.ambit("audit", "--verify")).status).toBe(0);
    expect(await project.json("doctor")).toMatchObject({ ok: true });
  });

  it("keeps the work of a project that is moved, and leaves nothing at its old place", async () => {
    const moved = `${project.root}-moved`;
    const supervisor = await project.supervisorPid();
    renameSync(project.root, moved);
    await worker.ended;
    await until("the supervisor has left", () => stateOf(supervisor) === undefined);
    expect(existsSync(project.root)).toBe(false);
    renameSync(moved, project.root);
    expect((await project.ambit("doctor", "--fix")).status).toBe(0);
    expect(project.git("show", "delegation/G1:half.txt")).toBe("half\n");
  });

  it("names the folder with the only copy of the work when .git is deleted, and never removes it", async () => {
    rmSync(join(project.root, ".git"), { recursive: true, force: true });
    const ended = await worker.ended;
    const folder = join(`${project.root}.worktrees`, "ambit/workspaces/G1");
    expect([ended.status, ended.stderr + ended.stdout]).toEqual([6, expect.stringContaining(folder)]);
    project.git("init", "--quiet", "--initial-branch=main");
    project.git("add", "-A");
    project.git("commit", "--quiet", "-m", "again");
    expect((await project.ambit("doctor")).stdout).toContain(folder);
    for (const words of [["doctor", "--fix"], ["supervisor", "stop"], ["doctor"], ["clean"]]) {
      const { status, stdout, stderr } = await project.ambit(...words);
      expect([words, stderr]).toEqual([words, expect.not.stringContaining("✖")]);
      expect(words.includes("stop") || stdout.includes(folder), stdout).toBe(true);
      expect(words[0] === "doctor" ? 6 : 0).toBe(status);
    }
    expect(readFileSync(join(folder, "half.txt"), "utf8")).toBe("half\n");
    // As a restart of the machine does; without a mount the folder would be empty.
    spawnSync("umount", [folder]);
    expect((await project.ambit("doctor")).stdout).toContain(folder);
    expect(readFileSync(join(folder, "half.txt"), "utf8")).toBe("half\n");
  });

  it("can clean up after all workspaces were deleted, with nothing left mounted", async () => {
    const trees = `${project.root}.worktrees`;
    emptyFolder(join(trees, "ambit"));
    expect([0, 6]).toContain((await project.ambit("doctor", "--fix")).status);
    await project.ambit("supervisor", "stop");
    expect((await project.ambit("doctor", "--fix")).stderr).not.toContain("INTERNAL");
    expect((await project.ambit("clean", "--yes")).status).toBe(0);
    expect(readFileSync("/proc/mounts", "utf8")).not.toContain(trees);
  });
});

it("work that no journal knows is named with the way to remove it, and is not reported as defective", async () => {
  const project = makeProject();
  try {
    const words = ["run", "Work", "--id", "L1", "--", "sh", "-c", "echo x > x.txt"];
    expect((await project.ambit(...words)).status).toBe(3);
    await project.ambit("supervisor", "stop");
    removeAll(project, ["."]);
    expect((await project.ambit("doctor", "--fix")).stdout).not.toContain("✖ leftovers");
    for (const ref of ["refs/ambit/base/L1", "refs/ambit/work/L1", "refs/heads/delegation/L1"]) {
      const doctor = await project.ambit("doctor");
      expect([doctor.status, doctor.stdout]).toEqual([
        0,
        expect.stringContaining(`git update-ref -d ${ref}`),
      ]);
      expect(doctor.stdout).not.toContain("ambit doctor --fix");
      project.git("update-ref", "-d", ref);
    }
    expect((await project.ambit("doctor")).stdout).toMatch(/✔ leftovers +none/);
  } finally {
    await project.remove();
  }
});

function readOwner(project: Project): number | undefined {
  const file = join(project.root, ".git/ambit/supervisor.json");
  try {
    return Number(JSON.parse(readFileSync(file, "utf8")).pid);
  } catch {
    // The file is missing or only half written.
    return undefined;
  }
}

/** Empties a folder as `rm -rf` does: a mounted folder stays, but empty. */
function emptyFolder(folder: string): void {
  for (const name of readdirSync(folder)) {
    try {
      rmSync(join(folder, name), { recursive: true, force: true });
    } catch {
      emptyFolder(join(folder, name));
    }
  }
}
