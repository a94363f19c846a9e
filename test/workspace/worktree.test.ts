import { execFileSync } from "node:child_process";
import {
  chmodSync,
  existsSync,
  lstatSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from "node:fs";
import { createServer } from "node:net";
import { dirname, join } from "node:path";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { releaseWorkspace } from "../../src/workspace/remove.ts";
import { createWorkspace, type Workspace, type WorkspaceSettings } from "../../src/workspace/worktree.ts";
import { makeRepository, runPlainGit, type TemporaryRepository } from "./temporary-repository.ts";
import { userState } from "./user-state.ts";

let project: TemporaryRepository;

beforeEach(async () => {
  project = await makeRepository({
    ".gitignore": "node_modules/\n.venv/\n.env*\n",
    "src/a.txt": "a\n",
    "run.sh": "#!/bin/sh\n",
  });
});

afterEach(() => project.remove());

function settings(more: Partial<WorkspaceSettings> = {}): WorkspaceSettings {
  return { repository: project.repository, stateDirectory: project.stateDirectory, ...more };
}

function head(): string {
  return project.git("rev-parse", "HEAD").trim();
}

function create(id: string, more: Partial<WorkspaceSettings> = {}): Promise<Workspace> {
  return createWorkspace(settings(more), { id, base: head() });
}

function gitIn(workspace: Workspace, ...words: string[]): string {
  return runPlainGit(workspace.path, words, project.home);
}

describe("a new workspace", () => {
  it("is a linked worktree on its own branch, clean, with the commit's files (R77)", async () => {
    const before = userState(project);
    const workspace = await create("US-1-DEL-001");
    expect(workspace.branch).toBe("delegation/US-1-DEL-001");
    expect(gitIn(workspace, "rev-parse", "--abbrev-ref", "HEAD").trim()).toBe("delegation/US-1-DEL-001");
    expect(gitIn(workspace, "status", "--porcelain")).toBe("");
    expect(readFileSync(join(workspace.path, "src/a.txt"), "utf8")).toBe("a\n");
    expect(project.git("rev-parse", "refs/ambit/base/US-1-DEL-001").trim()).toBe(head());
    expect(userState(project)).toStrictEqual(before);
  });

  it("has exactly the metadata that git itself would write", async () => {
    const workspace = await create("US-1-DEL-009", { dependencyWay: "copy" });
    const theirs = join(project.root, "../theirs");
    project.git("worktree", "add", "-q", "-b", "theirs", theirs);
    const admin = join(project.root, ".git/worktrees");
    for (const name of ["gitdir", "commondir", "HEAD"]) {
      const own = readFileSync(join(admin, "US-1-DEL-009", name), "utf8");
      const other = readFileSync(join(admin, "theirs", name), "utf8");
      expect(own).toBe(
        other.replace(theirs, workspace.path).replace("refs/heads/theirs", `refs/heads/${workspace.branch}`),
      );
    }
    expect(readFileSync(join(workspace.path, ".git"), "utf8")).toBe(
      readFileSync(join(theirs, ".git"), "utf8").replace("worktrees/theirs", "worktrees/US-1-DEL-009"),
    );
    project.git("worktree", "prune", "--expire=now");
    expect(project.git("worktree", "list", "--porcelain")).toContain(`worktree ${workspace.path}\n`);
    project.git("worktree", "remove", "--force", workspace.path);
    expect(existsSync(workspace.path)).toBe(false);
  });

  it("is in the project's workspace folder and not part of the user's status", async () => {
    const workspace = await create("US-1-DEL-002");
    expect(workspace.path).toBe(join(project.stateDirectory, "workspaces", "US-1-DEL-002"));
    expect(project.git("status", "--porcelain")).toBe("");
  });

  it("does not track a remote branch and writes nothing to the configuration", async () => {
    const remote = join(project.root, "..", "remote.git");
    project.git("clone", "-q", "--bare", project.root, remote);
    project.git("remote", "add", "origin", remote);
    project.git("fetch", "-q", "origin");
    const config = readFileSync(join(project.root, ".git/config"));
    const base = project.git("rev-parse", "origin/main").trim();
    const workspace = await createWorkspace(settings(), { id: "US-1-DEL-003", base });
    expect(() => gitIn(workspace, "rev-parse", "@{upstream}")).toThrow();
    expect(readFileSync(join(project.root, ".git/config"))).toStrictEqual(config);
  });

  it("runs no hook of the project", async () => {
    const marker = join(project.root, "..", "hook-ran");
    for (const hook of ["post-checkout", "reference-transaction", "post-index-change"]) {
      writeFileSync(join(project.root, ".git/hooks", hook), `#!/bin/sh\ntouch ${marker}\n`);
      chmodSync(join(project.root, ".git/hooks", hook), 0o755);
    }
    await create("US-1-DEL-004");
    expect(existsSync(marker)).toBe(false);
    project.git("checkout", "-q", "-b", "control");
    expect(existsSync(marker)).toBe(true);
  });

  it("keeps a worker whose .git is gone away from the user's repository", async () => {
    // Git stops at a mount by itself.
    const workspace = await create("US-1-DEL-005", { dependencyWay: "copy" });
    rmSync(join(workspace.path, ".git"));
    const around = dirname(workspace.path);
    execFileSync("git", ["init", "-q", around]);
    const ask = (environment: Record<string, string>): string =>
      execFileSync("git", ["rev-parse", "--show-toplevel"], {
        cwd: workspace.path,
        encoding: "utf8",
        env: { PATH: process.env["PATH"] ?? "", ...environment },
        stdio: "pipe",
      });
    expect(ask({}).trim()).toBe(around);
    expect(() => ask({ ...workspace.environment })).toThrow(/not a git repository/);
  });

  it("refuses an id that already has a workspace, and a branch that exists, saying where (R124)", async () => {
    const workspace = await create("US-1-DEL-006");
    await expect(create("US-1-DEL-006")).rejects.toMatchObject({
      code: "BRANCH_CHECKED_OUT",
      message: expect.stringContaining(workspace.path),
    });
    project.git("branch", "delegation/US-1-DEL-007");
    await expect(create("US-1-DEL-007")).rejects.toMatchObject({ code: "BRANCH_EXISTS" });
    expect(readdirSync(join(project.stateDirectory, "workspaces"))).toStrictEqual(["US-1-DEL-006"]);
  });

  it("leaves nothing behind if the base is not a commit", async () => {
    const wrong = createWorkspace(settings(), { id: "US-1-DEL-008", base: "1".repeat(40) });
    await expect(wrong).rejects.toMatchObject({ code: "GIT_FAILED" });
    expect(readdirSync(join(project.stateDirectory, "workspaces"))).toStrictEqual([]);
    expect(readdirSync(join(project.stateDirectory, "workspace-records"))).toStrictEqual([]);
    expect(existsSync(join(project.root, ".git/worktrees"))).toBe(false);
    expect(project.git("for-each-ref", "refs/heads/delegation", "refs/ambit")).toBe("");
  });
});

describe("the contents of a workspace besides the commit", () => {
  it("include the ignored files that .worktreeinclude names, and only those", async () => {
    project.write(".worktreeinclude", ".env*\n!.env.secret\n");
    project.write(".env", "KEY=1\n");
    project.write("config/.env.local", "KEY=2\n");
    project.write(".env.secret", "no\n");
    const workspace = await create("US-1-DEL-010");
    expect(workspace.included.toSorted()).toStrictEqual([".env", "config/.env.local"]);
    expect(readFileSync(join(workspace.path, "config/.env.local"), "utf8")).toBe("KEY=2\n");
    expect(existsSync(join(workspace.path, ".env.secret"))).toBe(false);
    expect(statSync(join(workspace.path, ".env")).nlink).toBe(1);
  });

  it("include the ignored files that the settings name, together with those of .worktreeinclude", async () => {
    project.write(".worktreeinclude", ".env.local\n");
    project.write(".env", "KEY=1\n");
    project.write(".env.local", "KEY=2\n");
    project.write(".env.other", "no\n");
    const without = await create("US-1-DEL-020");
    expect(without.included).toStrictEqual([".env.local"]);
    const workspace = await create("US-1-DEL-021", { include: ["/.env"] });
    expect(workspace.included.toSorted()).toStrictEqual([".env", ".env.local"]);
    expect(readFileSync(join(workspace.path, ".env"), "utf8")).toBe("KEY=1\n");
  });

  it("are never written through a link of the commit", async () => {
    const outside = join(project.root, "..", "outside");
    mkdirSync(outside);
    project.write(".worktreeinclude", ".env\n");
    symlinkSync(outside, join(project.root, "config"));
    project.git("add", "-A");
    project.git("commit", "-qm", "Link");
    rmSync(join(project.root, "config"));
    project.write("config/.env", "KEY=1\n");
    const workspace = await create("US-1-DEL-011");
    expect(workspace.included).toStrictEqual([]);
    expect(readdirSync(outside)).toStrictEqual([]);
  });

  it.each(["auto", "copy"] as const)("include their own dependency folders (%s)", async (dependencyWay) => {
    project.write("node_modules/left/index.js", "original\n");
    project.write("packages/one/node_modules/right/index.js", "original\n");
    symlinkSync("../left/index.js", join(project.root, "node_modules/relative"));
    symlinkSync(join(project.root, "src"), join(project.root, "node_modules/absolute"));
    const workspace = await create("US-1-DEL-012", { dependencyWay });
    expect(workspace.dependencies.map(({ path }) => path).toSorted()).toStrictEqual([
      "node_modules",
      "packages/one/node_modules",
    ]);
    const copied = join(workspace.path, "node_modules/left/index.js");
    expect(readFileSync(copied, "utf8")).toBe("original\n");
    expect(lstatSync(join(workspace.path, "node_modules")).isDirectory()).toBe(true);
    writeFileSync(copied, "changed in place\n");
    writeFileSync(join(workspace.path, "node_modules/absolute/a.txt"), "changed through a link\n");
    rmSync(join(workspace.path, "packages/one/node_modules/right"), { recursive: true });
    expect(readFileSync(join(project.root, "node_modules/left/index.js"), "utf8")).toBe("original\n");
    expect(readFileSync(join(project.root, "src/a.txt"), "utf8")).toBe("a\n");
    expect(existsSync(join(project.root, "packages/one/node_modules/right/index.js"))).toBe(true);
    expect(gitIn(workspace, "status", "--porcelain")).toBe(" M src/a.txt\n");
  });

  it("show the next workspace nothing that a worker wrote to a shared template", async () => {
    project.write("node_modules/left/index.js", "original\n");
    const first = await create("US-1-DEL-013");
    writeFileSync(join(first.path, "node_modules/left/index.js"), "changed\n");
    const second = await create("US-1-DEL-014");
    expect(readFileSync(join(second.path, "node_modules/left/index.js"), "utf8")).toBe("original\n");
  });

  it("include a copied Python environment that points at its own place", async () => {
    const python = `#!${project.root}/.venv/bin/python\n`;
    project.write(".venv/bin/pip", python);
    project.write(".venv/pyvenv.cfg", "home = /usr/bin\n");
    project.write(
      ".venv/lib/python3.11/site-packages/__editable__.pth",
      `${project.root}/src\n${project.root}2\n`,
    );
    const workspace = await create("US-1-DEL-015", { dependencyWay: "copy" });
    expect(readFileSync(join(workspace.path, ".venv/bin/pip"), "utf8")).toBe(
      `#!${workspace.path}/.venv/bin/python\n`,
    );
    expect(
      readFileSync(join(workspace.path, ".venv/lib/python3.11/site-packages/__editable__.pth"), "utf8"),
    ).toBe(`${workspace.path}/src\n${project.root}2\n`);
    expect(readFileSync(join(project.root, ".venv/bin/pip"), "utf8")).toBe(python);
  });

  it("include a Python environment of any name, recognised by its content", async () => {
    project.write(".git/info/exclude", "own/\nother/\n");
    project.write("own/pyvenv.cfg", "home = /usr/bin\n");
    project.write("own/bin/pip", `#!${project.root}/own/bin/python\n`);
    project.write("other/bin/pip", "not an environment\n");
    const workspace = await create("US-1-DEL-022", { dependencyWay: "copy" });
    expect(workspace.dependencies.map(({ path }) => path)).toStrictEqual(["own"]);
    const pip = readFileSync(join(workspace.path, "own/bin/pip"), "utf8");
    expect(pip).toBe(`#!${workspace.path}/own/bin/python\n`);
  });

  it("include ten ports that no other workspace has", async () => {
    const workspaces = await Promise.all(["1", "2", "3"].map((id) => create(`US-2-DEL-00${id}`)));
    const bases = workspaces.map(({ portBase }) => portBase);
    expect(new Set(bases).size).toBe(3);
    expect(bases.every((base) => base % 10 === 0)).toBe(true);
    expect(workspaces[0]?.environment["AMBIT_PORT_BASE"]).toBe(String(bases[0]));
  });

  it("skip ports that are in use", async () => {
    const first = await create("US-2-DEL-010");
    const path = first.path;
    await releaseWorkspace(settings(), { id: "US-2-DEL-010", path });
    const again = await create("US-2-DEL-010");
    expect(again.portBase).toBe(first.portBase);
    await releaseWorkspace(settings(), { id: "US-2-DEL-010", path });
    const server = createServer().listen(first.portBase + 3, "127.0.0.1");
    try {
      const other = await create("US-2-DEL-010");
      expect(other.portBase).not.toBe(first.portBase);
    } finally {
      server.close();
    }
  });

  it("are reported as progress if they take long", async () => {
    project.write("node_modules/x", "x");
    const stages: string[] = [];
    const slow = join(project.root, "..", "bin");
    mkdirSync(slow);
    writeFileSync(join(slow, "cp"), `#!/bin/sh\nsleep 1.3\nexec /bin/cp "$@"\n`, { mode: 0o755 });
    const repository = {
      ...project.repository,
      host: { ...project.repository.host, searchPath: `${slow}:${project.repository.host.searchPath}` },
    };
    await createWorkspace(
      settings({ repository, dependencyWay: "copy", onProgress: ({ stage }) => stages.push(stage) }),
      { id: "US-3-DEL-001", base: head() },
    );
    expect(stages).toStrictEqual(["bringing-dependencies"]);
  });
});

describe("many workspaces at once", () => {
  it("can all be created from a remote branch", async () => {
    const remote = join(project.root, "..", "remote.git");
    project.git("clone", "-q", "--bare", project.root, remote);
    project.git("remote", "add", "origin", remote);
    project.git("fetch", "-q", "origin");
    const base = project.git("rev-parse", "origin/main").trim();
    const ids = Array.from({ length: 20 }, (_, index) => `US-4-DEL-${String(index)}`);
    const workspaces = await Promise.all(ids.map((id) => createWorkspace(settings(), { id, base })));
    expect(workspaces.map((workspace) => gitIn(workspace, "status", "--porcelain"))).toStrictEqual(
      ids.map(() => ""),
    );
    expect(project.git("for-each-ref", "refs/heads/delegation").trim().split("\n")).toHaveLength(20);
  });
});
