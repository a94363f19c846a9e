import { existsSync, mkdirSync, readFileSync, statSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { makeProject, userState, type Project } from "../e2e/project.ts";
import { listLiveFiles } from "../live-files.ts";
import { endsOf } from "./journal-facts.ts";

let project: Project;
beforeEach(() => {
  project = makeProject();
});
afterEach(() => project.remove());

/** Writes empty lock files, as a killed git leaves them. */
function leaveLocks(names: readonly string[]): void {
  for (const name of names) {
    const path = join(project.root, ".git", name);
    mkdirSync(dirname(path), { recursive: true });
    writeFileSync(path, "", { flag: "wx" });
  }
}

/** All locks except those of a supervisor that still runs. */
function locksNow(): readonly string[] {
  const folder = join(project.root, ".git");
  return listLiveFiles(folder)
    .filter((name) => name.endsWith(".lock") && !/^ambit(?:\/|-owner\.lock$)/.test(name))
    .toSorted();
}

const users = ["HEAD.lock", "config.lock", "index.lock", "packed-refs.lock", "refs/heads/main.lock"];
const writes = ["--", "sh", "-c", "echo new > new.txt"];

describe("locks that a killed git left in the user's repository", () => {
  it.each(["worktree", "sandbox"])("are left alone, named, and block nothing (%s)", async (isolation) => {
    project.write("a.txt", "one\nuncommitted\n");
    const before = userState(project);
    leaveLocks(users);
    const times = users.map((name) => statSync(join(project.root, ".git", name)).mtimeMs);
    // Control: the user's own git is blocked.
    expect(() => project.git("add", "a.txt")).toThrow(/index\.lock': File exists/);
    const run = await project.ambit("run", "Locked", "--id", "U1", "--isolation", isolation, ...writes);
    expect(run.status).toBe(3);
    // Now the supervisor has freed everything that it frees after the end.
    await project.ambit("supervisor", "stop");
    const prompt = readFileSync(join(project.root, ".git/ambit/logs/U1/attempt-1/prompt.md"), "utf8");
    for (const name of users) expect(prompt).toContain(`.git/${name}`);
    expect(project.git("show", "delegation/U1:new.txt")).toBe("new\n");
    expect(project.git("show", "delegation/U1:a.txt")).toBe("one\nuncommitted\n");
    expect(locksNow()).toEqual(users);
    expect(users.map((name) => statSync(join(project.root, ".git", name)).mtimeMs)).toEqual(times);
    expect(userState(project)).toEqual(before);
  });

  it("do not change the outcome of a story whose branch cannot be removed", async () => {
    leaveLocks(["packed-refs.lock"]);
    project.write("work.yaml", "- return: {status: completed, summary: 'Nothing to do. Done.'}\n");
    const run = await project.ambit("run", "Nothing", "--id", "U2", "--script", "work.yaml");
    expect([run.status, run.stdout]).toEqual([0, expect.stringContaining("completed")]);
    expect(endsOf(project, "U2")).toMatchObject([{ outcome: "completed" }]);
    await project.ambit("supervisor", "stop");
    expect(locksNow()).toEqual(["packed-refs.lock"]);
  });
});

describe("locks that a killed git left on our refs", () => {
  const ours = ["refs/ambit/base/O1.lock", "refs/ambit/work/O1.lock", "refs/heads/delegation/O1.lock"];

  it("are removed if they block us", async () => {
    leaveLocks(ours);
    const run = await project.ambit("run", "Ours", "--id", "O1", ...writes);
    expect(run.status).toBe(3);
    await project.ambit("supervisor", "stop");
    expect(project.git("show", "delegation/O1:new.txt")).toBe("new\n");
    expect(locksNow()).toEqual([]);
  });

  it("are found and removed by doctor, and only ours", async () => {
    leaveLocks([...ours, ...users]);
    const sick = await project.ambit("doctor");
    expect(sick.status).toBe(6);
    for (const name of ours) expect(sick.stdout).toContain(name);
    expect((await project.ambit("doctor", "--fix")).status).toBe(0);
    expect(locksNow()).toEqual(users);
  });
});

describe("worktree notes that git reports as locked", () => {
  it("do not keep our workspace and its half-written locks from being removed, and the user's notes stay", async () => {
    project.git("worktree", "add", "--quiet", "-b", "mine", "../mine");
    project.git("worktree", "lock", "--reason", "mine", "../mine");
    const before = project.git("worktree", "list", "--porcelain");
    const lock = 'touch "$(git rev-parse --git-dir)/index.lock"; git worktree lock --reason initializing .';
    const run = await project.ambit("run", "Lock", "--id", "K1", "--", "sh", "-c", `echo k > k.txt; ${lock}`);
    expect(run.status).toBe(3);
    expect(project.git("show", "delegation/K1:k.txt")).toBe("k\n");
    await project.ambit("supervisor", "stop");
    expect(project.git("worktree", "list", "--porcelain")).toBe(before);
    expect(before).toContain("locked mine");
    expect(existsSync(join(`${project.root}.worktrees`, "ambit/workspaces/K1"))).toBe(false);
    expect(await project.json("doctor")).toMatchObject({ ok: true });
  });
});
