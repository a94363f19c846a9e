import { execFileSync } from "node:child_process";
import {
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from "node:fs";
import { dirname, join } from "node:path";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { advanceWorkspace, finishAdvance } from "../../src/workspace/advance-workspace.ts";
import { importSandboxWork } from "../../src/workspace/import-sandbox-work.ts";
import { importWork } from "../../src/workspace/import-work.ts";
import { listOrphans } from "../../src/workspace/orphans.ts";
import { releaseWorkspace } from "../../src/workspace/remove.ts";
import { createSandboxClone, type SandboxClone } from "../../src/workspace/sandbox-clone.ts";
import { listMounts } from "../../src/workspace/prepare/overlay.ts";
import { createWorkspace, type Workspace } from "../../src/workspace/worktree.ts";
import { bundleProgram, runAndKill } from "./kill-at-git-call.ts";
import { runInSandbox, sandboxOf } from "./run-in-sandbox.ts";
import {
  makeRepository,
  removeByHand,
  runPlainGit,
  type TemporaryRepository,
} from "./temporary-repository.ts";
import { userState } from "./user-state.ts";

const id = "US-1-DEL-001";
let project: TemporaryRepository;
let base: string;

beforeEach(async () => {
  project = await makeRepository({
    ".gitignore": "*.log\nout\n",
    "src/a.txt": "a\n",
    "src/b.txt": "b\n",
    "src/old.txt": "old\n",
  });
  base = project.git("rev-parse", "HEAD").trim();
});

afterEach(() => project.remove());

/** A commit on top of another one, as a merge of workers' results would be. */
function commitOn(parent: string, files: Readonly<Record<string, string | null>>): string {
  const index = join(project.root, "..", "index-of-test");
  const environment = { PATH: process.env["PATH"] ?? "", HOME: project.home, GIT_INDEX_FILE: index };
  const git = (words: readonly string[], input = ""): string =>
    execFileSync("git", words, { cwd: project.root, env: environment, input, encoding: "utf8" }).trim();
  git(["read-tree", parent]);
  for (const [path, content] of Object.entries(files)) {
    if (content === null) git(["update-index", "--force-remove", path]);
    else {
      const blob = git(["hash-object", "-w", "--stdin"], content);
      git(["update-index", "--add", "--replace", "--cacheinfo", `100644,${blob},${path}`]);
    }
  }
  return git(["commit-tree", git(["write-tree"]), "-p", parent, "-m", "Merged results"]);
}

function settings(): Pick<TemporaryRepository, "repository" | "stateDirectory"> {
  const { repository, stateDirectory } = project;
  return { repository, stateDirectory };
}

function gitIn(path: string, ...words: string[]): string {
  return runPlainGit(path, ["-c", "user.name=w", "-c", "user.email=w@w", ...words], project.home).trim();
}

function expectAt(path: string, to: string): void {
  expect(gitIn(path, "status", "--porcelain", "--branch")).toBe(`## delegation/${id}`);
  expect(gitIn(path, "rev-parse", "HEAD")).toBe(to);
  expect(gitIn(path, "diff", "--name-only", to)).toBe("");
  expect(project.git("rev-parse", `refs/heads/delegation/${id}`).trim()).toBe(to);
  expect(project.git("rev-parse", `refs/ambit/work/${id}`).trim()).toBe(to);
}

describe("advancing a workspace", () => {
  let workspace: Workspace;
  const advance = (to: string): Promise<void> =>
    advanceWorkspace(settings(), { id, path: workspace.path, to });

  beforeEach(async () => {
    workspace = await createWorkspace(settings(), { id, base });
  });

  it("brings branch, index and files to the commit; ignored files stay and the user sees nothing", async () => {
    writeFileSync(join(workspace.path, "src/a.txt"), "manager\n");
    writeFileSync(join(workspace.path, "notes.txt"), "new\n");
    writeFileSync(join(workspace.path, "debug.log"), "ignored\n");
    const { tip } = await importWork(settings(), { id, message: "Mine\n" });
    const to = commitOn(tip, { "src/b.txt": "worker\n", "src/old.txt": null, "src/new/c.txt": "c\n" });
    const before = userState(project);
    await advance(to);
    expectAt(workspace.path, to);
    expect(readFileSync(join(workspace.path, "src/a.txt"), "utf8")).toBe("manager\n");
    expect(readFileSync(join(workspace.path, "src/new/c.txt"), "utf8")).toBe("c\n");
    expect(readFileSync(join(workspace.path, "debug.log"), "utf8")).toBe("ignored\n");
    expect(existsSync(join(workspace.path, "src/old.txt"))).toBe(false);
    expect(userState(project)).toStrictEqual(before);
    // Later imports build on it, and the workspace can be released.
    writeFileSync(join(workspace.path, "src/a.txt"), "again\n");
    const later = await importWork(settings(), { id, message: "More\n" });
    expect(project.git("rev-parse", `${later.tip}^`).trim()).toBe(to);
    expect(later.base).toBe(base);
    expect(await releaseWorkspace(settings(), { id, path: workspace.path })).toMatchObject({
      status: "released",
    });
  });

  it("can be repeated for the same commit", async () => {
    const to = commitOn(base, { "src/b.txt": "worker\n" });
    await advance(to);
    await advance(to);
    expectAt(workspace.path, to);
  });

  it("refuses while some work is not imported, and changes nothing", async () => {
    const to = commitOn(base, { "src/a.txt": "worker\n" });
    writeFileSync(join(workspace.path, "src/a.txt"), "unsaved\n");
    await expect(advance(to)).rejects.toMatchObject({ code: "WORK_NOT_SAVED" });
    expect(readFileSync(join(workspace.path, "src/a.txt"), "utf8")).toBe("unsaved\n");
    gitIn(workspace.path, "commit", "-qam", "Made here");
    await expect(advance(to)).rejects.toMatchObject({ code: "WORK_NOT_REACHABLE" });
    expect(gitIn(workspace.path, "log", "-1", "--format=%s")).toBe("Made here");
    await expect(
      advanceWorkspace(settings(), { id, path: join(workspace.path, "src"), to }),
    ).rejects.toMatchObject({ code: "WORKSPACE_NOT_OURS" });
    await expect(
      advanceWorkspace(settings(), { id: "US-9", path: workspace.path, to }),
    ).rejects.toMatchObject({ code: "WORKSPACE_NOT_FOUND" });
  });

  it("keeps the current work if the commit does not contain it", async () => {
    writeFileSync(join(workspace.path, "src/a.txt"), "left\n");
    const { tip } = await importWork(settings(), { id, message: "Left\n" });
    const to = commitOn(base, { "src/b.txt": "worker\n" });
    await advance(to);
    expectAt(workspace.path, to);
    expect(project.git("rev-parse", `refs/ambit/kept/${id}/${tip}`).trim()).toBe(tip);
  });

  it("ends an operation that the worker's git had in progress", async () => {
    const admin = join(project.root, ".git/worktrees", id);
    gitIn(workspace.path, "checkout", "-q", "--detach");
    writeFileSync(join(admin, "MERGE_HEAD"), `${base}\n`);
    writeFileSync(join(admin, "index.lock"), "");
    const to = commitOn(base, { "src/b.txt": "worker\n" });
    await advance(to);
    expectAt(workspace.path, to);
    expect(readdirSync(admin)).not.toContain("MERGE_HEAD");
  });

  it.each([
    [
      "a git directory of its own",
      (path: string) => {
        rmSync(join(path, ".git"));
        execFileSync("git", ["init", "-q", path]);
        execFileSync("git", ["-C", path, "config", "core.fsmonitor", `touch ${dirname(path)}/ran`]);
      },
      "WORKSPACE_TAMPERED",
    ],
    [
      "a link to another place",
      (path: string) => {
        for (const target of listMounts(path)) execFileSync("umount", [target]);
        renameSync(path, `${path}-moved`);
        symlinkSync(`${path}-moved`, path);
      },
      "WORKSPACE_TAMPERED",
    ],
    ["nothing", removeByHand, "WORKSPACE_GONE"],
  ])("refuses a workspace that has become %s", async (_, tamper, code) => {
    tamper(workspace.path);
    const to = commitOn(base, { "src/b.txt": "worker\n" });
    await expect(advance(to)).rejects.toMatchObject({ code });
    expect(existsSync(join(dirname(workspace.path), "ran"))).toBe(false);
    expect(project.git("rev-parse", `refs/heads/delegation/${id}`).trim()).toBe(base);
  });

  it("writes nothing through links in its way", async () => {
    const outside = join(project.root, "..", "outside");
    mkdirSync(outside);
    symlinkSync(outside, join(workspace.path, "out"));
    const to = commitOn(base, { "out/file.txt": "inside\n" });
    await advance(to);
    expect(readdirSync(outside)).toStrictEqual([]);
    expect(readFileSync(join(workspace.path, "out/file.txt"), "utf8")).toBe("inside\n");
  });

  it("is completed by the next call wherever it was killed", { timeout: 120_000 }, async () => {
    const program = await bundleProgram("test/workspace/advance-one.ts");
    try {
      let tip = base;
      for (let call = 1, isOver = false; !isOver; call += 1) {
        for (const after of [false, true]) {
          const to = commitOn(tip, {
            "src/a.txt": `${call} ${String(after)}\n`,
            [`src/${call}-${String(after)}`]: "new\n",
          });
          const { root, home, stateDirectory } = project;
          const wasKilled = await runAndKill({
            folder: join(root, "..", "bin"),
            program,
            words: [root, home, stateDirectory, id, workspace.path, to],
            at: call,
            after,
          });
          await finishAdvance(settings(), id);
          const at = gitIn(workspace.path, "rev-parse", "HEAD");
          expect([tip, to]).toContain(at);
          await advance(to);
          expectAt(workspace.path, to);
          tip = to;
          isOver = !wasKilled;
        }
      }
    } finally {
      rmSync(program);
    }
    const orphans = await listOrphans(settings(), { live: new Set([id]), known: new Set([id]) });
    expect(orphans.filter(({ kind }) => kind !== "scratch")).toStrictEqual([]);
  });
});

describe("advancing a sandbox clone", () => {
  let clone: SandboxClone;
  const advance = (to: string): Promise<void> => advanceWorkspace(settings(), { id, path: clone.path, to });
  const work = async (script: string): Promise<void> => {
    const run = await runInSandbox(await sandboxOf("bubblewrap"), clone, { argv: ["/bin/sh", "-c", script] });
    expect(run).toMatchObject({ code: 0 });
  };
  const handOver = async (): Promise<string> => {
    const sandbox = await sandboxOf("bubblewrap");
    return (await importSandboxWork({ ...settings(), clone, sandbox, message: "Mine\n" })).tip;
  };

  beforeEach(async () => {
    clone = await createSandboxClone({ ...settings(), id, base });
  });

  it("moves a clean clone to the commit, whose objects its worker can see", async () => {
    await work(
      "echo mine > src/a.txt; echo new > notes.txt; echo x > debug.log; git add -A; git commit -qm own",
    );
    const tip = await handOver();
    const to = commitOn(tip, { "src/b.txt": "worker\n", "notes.txt": null, "src/new.txt": "new\n" });
    await advance(to);
    expectAt(clone.path, to);
    expect(readFileSync(join(clone.path, "debug.log"), "utf8")).toBe("x\n");
    await work(
      `test "$(git show HEAD:src/b.txt)" = worker && echo more >> src/new.txt && git commit -qam more`,
    );
    const later = await handOver();
    expect(project.git("rev-parse", `${later}^`).trim()).toBe(to);
    expect(project.git("diff", "--name-only", to, later).trim()).toBe("src/new.txt");
  });

  it("refuses work that was not handed over, and an invalid git directory", async () => {
    const to = commitOn(base, { "src/b.txt": "worker\n" });
    await work("echo mine > src/a.txt");
    await expect(advance(to)).rejects.toMatchObject({ code: "WORK_NOT_SAVED" });
    await work("git commit -qam own");
    await expect(advance(to)).rejects.toMatchObject({ code: "WORK_NOT_REACHABLE" });
    await handOver();
    await work("mv .git elsewhere.log && ln -s elsewhere.log .git");
    await expect(advance(to)).rejects.toMatchObject({ code: "WORKSPACE_TAMPERED" });
  });

  it("removes settings and hooks that the worker put into its git directory", async () => {
    await work(
      "mkdir -p .git/hooks && git config core.fsmonitor 'touch /tmp/ran' && echo x > .git/hooks/post-checkout",
    );
    await handOver();
    const to = commitOn(base, { "src/b.txt": "worker\n" });
    await advance(to);
    expect(readFileSync(join(clone.path, ".git/config"), "utf8")).not.toContain("fsmonitor");
    expect(existsSync(join(clone.path, ".git/hooks"))).toBe(false);
    expectAt(clone.path, to);
  });
});
