import { renameSync } from "node:fs";
import { join } from "node:path";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { makeProject, until, userState, type Project } from "../e2e/project.ts";
import { endsOf } from "./journal-facts.ts";
import { startWorker, type WaitingWorker } from "./waiting-worker.ts";
import { removeByHand } from "../workspace/temporary-repository.ts";

let project: Project;
let workers: WaitingWorker[];
beforeEach(() => {
  project = makeProject();
  workers = [];
});
afterEach(async () => {
  for (const worker of workers) worker.letGo();
  await Promise.all(workers.map((worker) => worker.ended));
  for (const worker of workers) worker.remove();
  await project.remove();
});

function start(script: Parameters<typeof startWorker>[1]): WaitingWorker {
  const worker = startWorker(project, script);
  workers.push(worker);
  return worker;
}

/** Two worktrees of the user's: a `git worktree prune` would forget the one whose folder is away. */
function makeUsersWorktrees(): void {
  project.git("worktree", "add", "--quiet", "-b", "away", "../away");
  renameSync(join(project.root, "../away"), join(project.root, "../elsewhere"));
  project.git("worktree", "add", "--quiet", "-b", "locked", "../locked");
  project.git("worktree", "lock", "--reason", "mine", "../locked");
}

describe("a workspace that is deleted by hand while its worker runs", () => {
  it("fails only its own story, with a message, and loses only its own worktree entry", async () => {
    makeUsersWorktrees();
    const before = [userState(project), project.git("worktree", "list", "--porcelain")];
    const gone = start({ id: "G1", first: "echo a > a.new", second: "echo b > b.new" });
    const other = start({ id: "G2", first: "echo a > a.new", second: "echo b > b.new" });
    await Promise.all([gone.isWaiting(), other.isWaiting()]);
    removeByHand(join(`${project.root}.worktrees`, "ambit/workspaces/G1"));
    gone.letGo();
    const failed = await gone.ended;
    expect(failed.status).toBe(1);
    expect(failed.stderr).toMatch(/WORKSPACE_GONE .*workspaces\/G1 no longer exists/);
    expect(endsOf(project, "G1")).toMatchObject([{ outcome: "failed", code: "WORKSPACE_GONE" }]);
    other.letGo();
    expect((await other.ended).status).toBe(3);
    expect(project.git("show", "delegation/G2:b.new")).toBe("b\n");
    // Everything is freed now. The next supervisor knows of the workspace only from the journal, and works.
    await project.ambit("supervisor", "stop");
    expect([userState(project), project.git("worktree", "list", "--porcelain")]).toEqual(before);
    expect(await project.json("doctor")).toMatchObject({ ok: true });
    expect((await project.ambit("run", "Again", "--id", "G3", "--", "true")).status).toBe(1);
    // Control: `git worktree prune` would have forgotten the user's worktree as well.
    project.git("worktree", "prune", "--expire=now");
    expect(project.git("worktree", "list")).not.toContain("/away ");
  });

  it("does not lose the commits that the worker made in it", async () => {
    const commit = "git add -A; git -c user.name=W -c user.email=w@example.org commit -qm made";
    const worker = start({ id: "G4", first: `echo a > a.new; ${commit}` });
    await worker.isWaiting();
    removeByHand(join(`${project.root}.worktrees`, "ambit/workspaces/G4"));
    worker.letGo();
    expect((await worker.ended).status).toBe(1);
    expect(project.git("show", "delegation/G4:a.new")).toBe("a\n");
    await project.ambit("supervisor", "stop");
    await project.ambit("doctor", "--fix");
    await project.ambit("clean");
    expect(project.git("show", "delegation/G4:a.new")).toBe("a\n");
  });

  it("is noticed by the next supervisor if the last one was killed too", async () => {
    const worker = start({ id: "G5", first: "echo a > a.new" });
    await worker.isWaiting();
    process.kill(await project.supervisorPid(), "SIGKILL");
    await worker.ended;
    removeByHand(join(`${project.root}.worktrees`, "ambit/workspaces/G5"));
    worker.letGo();
    expect((await project.ambit("run", "Next", "--id", "G6", "--", "true")).status).toBe(1);
    await until("it has ended", () => endsOf(project, "G5").length > 0);
    expect(endsOf(project, "G5")).toMatchObject([{ outcome: "failed", code: "WORKSPACE_GONE" }]);
  });
});
