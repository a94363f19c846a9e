import { execFileSync } from "node:child_process";
import { chmodSync, existsSync, mkdirSync, readdirSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { importWork, type ImportedWork } from "../../src/workspace/import-work.ts";
import { createWorkspace, type Workspace } from "../../src/workspace/worktree.ts";
import {
  makeRepository,
  removeByHand,
  runPlainGit,
  type TemporaryRepository,
} from "./temporary-repository.ts";
import { userState } from "./user-state.ts";

const id = "US-1-DEL-001";
let project: TemporaryRepository;
let workspace: Workspace;

beforeEach(async () => {
  project = await makeRepository({ ".gitignore": "*.log\n", "src/a.txt": "a\n", "src/b.txt": "b\n" });
  const { repository, stateDirectory } = project;
  const base = project.git("rev-parse", "HEAD").trim();
  workspace = await createWorkspace({ repository, stateDirectory }, { id, base });
});

afterEach(() => project.remove());

function work(message = "Do the work\n"): Promise<ImportedWork> {
  const { repository, stateDirectory } = project;
  return importWork({ repository, stateDirectory }, { id, message });
}

function write(path: string, content: string): void {
  mkdirSync(join(workspace.path, path, ".."), { recursive: true });
  writeFileSync(join(workspace.path, path), content);
}

function gitIn(...words: string[]): string {
  return runPlainGit(workspace.path, ["-c", "user.name=w", "-c", "user.email=w@w", ...words], project.home);
}

function pathsOf(imported: ImportedWork): readonly string[] {
  return imported.filesChanged.map(({ kind, path }) => `${kind} ${path}`);
}

describe("importing a worker's work", () => {
  it("commits tracked and untracked files, not ignored ones, and keeps base and tip", async () => {
    write("src/a.txt", "changed\n");
    write("new/file.txt", "new\n");
    write("debug.log", "ignored\n");
    rmSync(join(workspace.path, "src/b.txt"));
    const before = userState(project);
    const imported = await work();
    expect(pathsOf(imported)).toStrictEqual(["added new/file.txt", "changed src/a.txt", "removed src/b.txt"]);
    expect(imported).toMatchObject({ base: workspace.base, nothingChanged: false, kept: [], leftOut: [] });
    for (const ref of [`refs/ambit/work/${id}`, `refs/heads/delegation/${id}`])
      expect(project.git("rev-parse", ref).trim()).toBe(imported.tip);
    expect(project.git("rev-parse", `refs/ambit/base/${id}`).trim()).toBe(workspace.base);
    expect(project.git("log", "-1", "--format=%an <%ae>|%cn <%ce>|%s", imported.tip).trim()).toBe(
      "Ada <ada@example.org>|ambit <ambit@localhost>|Do the work",
    );
    expect(gitIn("status", "--porcelain")).toBe("");
    expect(userState(project)).toStrictEqual(before);
  });

  it("is authored by Ambit if git knows no user", async () => {
    writeFileSync(join(project.home, ".gitconfig"), "");
    write("src/a.txt", "changed\n");
    const { tip } = await work();
    expect(project.git("log", "-1", "--format=%an <%ae>", tip).trim()).toBe("ambit <ambit@localhost>");
  });

  it("reports that nothing changed, and then the tip is the base", async () => {
    write("debug.log", "ignored\n");
    expect(await work()).toMatchObject({ tip: workspace.base, nothingChanged: true, filesChanged: [] });
  });

  it("builds on the worker's own commits", async () => {
    write("src/a.txt", "one\n");
    gitIn("commit", "-qam", "Worker's own");
    write("src/a.txt", "two\n");
    const { tip } = await work();
    expect(project.git("log", "--format=%s", `${workspace.base}..${tip}`).trim().split("\n")).toStrictEqual([
      "Do the work",
      "Worker's own",
    ]);
    expect(project.git("show", `${tip}:src/a.txt`)).toBe("two\n");
  });

  it("adds no commit if the worker committed everything", async () => {
    write("src/a.txt", "one\n");
    gitIn("commit", "-qam", "Worker's own");
    const { tip, nothingChanged } = await work();
    expect(tip).toBe(gitIn("rev-parse", "HEAD").trim());
    expect(nothingChanged).toBe(false);
  });

  it("keeps every commit the worker left: reset away, on no branch, on another branch", async () => {
    write("src/a.txt", "reset away\n");
    gitIn("commit", "-qam", "Reset away");
    const resetAway = gitIn("rev-parse", "HEAD").trim();
    gitIn("reset", "-q", "--hard", "HEAD~1");
    gitIn("checkout", "-q", "--detach");
    write("src/b.txt", "detached\n");
    gitIn("commit", "-qam", "Detached");
    const detached = gitIn("rev-parse", "HEAD").trim();
    const imported = await work();
    expect(imported.tip).toBe(detached);
    expect(imported.kept).toStrictEqual([resetAway]);
    expect(project.git("rev-parse", `refs/ambit/kept/${id}/${resetAway}`).trim()).toBe(resetAway);
    project.git("reflog", "expire", "--expire=now", "--all");
    project.git("gc", "-q", "--prune=now");
    expect(project.git("cat-file", "-t", resetAway).trim()).toBe("commit");
  });

  it("builds on the base if the worker moved its branch to foreign history", async () => {
    gitIn("checkout", "-q", "--orphan", "foreign");
    gitIn("commit", "-qm", "Foreign root");
    gitIn("branch", "-f", `delegation/${id}`, "foreign");
    write("src/a.txt", "work\n");
    const { tip, kept } = await work();
    expect(project.git("rev-parse", `${tip}^`).trim()).toBe(workspace.base);
    expect(kept).toStrictEqual([gitIn("rev-parse", "foreign").trim()]);
  });

  it("can be repeated and then adds only new changes", async () => {
    write("src/a.txt", "one\n");
    const first = await work("First\n");
    const again = await work("Again\n");
    expect(again.tip).toBe(first.tip);
    write("src/b.txt", "two\n");
    const second = await work("Second\n");
    expect(project.git("rev-parse", `${second.tip}^`).trim()).toBe(first.tip);
    expect(pathsOf(second)).toStrictEqual(["changed src/a.txt", "changed src/b.txt"]);
  });

  it("notices a change that keeps size and modification time", async () => {
    const path = join(workspace.path, "src/a.txt");
    execFileSync("touch", ["-r", path, `${path}.time`]);
    write("src/a.txt", "z\n");
    execFileSync("touch", ["-r", `${path}.time`, path]);
    rmSync(`${path}.time`);
    expect(pathsOf(await work())).toStrictEqual(["changed src/a.txt"]);
  });

  it("handles files that become folders, links and pipes", async () => {
    rmSync(join(workspace.path, "src/a.txt"));
    write("src/a.txt/inside", "folder\n");
    rmSync(join(workspace.path, "src/b.txt"));
    execFileSync("mkfifo", [join(workspace.path, "src/b.txt")]);
    symlinkSync("/etc", join(workspace.path, "link"));
    const imported = await work();
    expect(pathsOf(imported)).toStrictEqual([
      "added link",
      "removed src/a.txt",
      "added src/a.txt/inside",
      "removed src/b.txt",
    ]);
    expect(imported.leftOut.map(({ reason }) => reason)).toStrictEqual(["special-file"]);
  });

  it("follows no link that replaced a folder", async () => {
    const outside = join(project.root, "..", "outside");
    mkdirSync(outside);
    writeFileSync(join(outside, "a.txt"), "secret\n");
    rmSync(join(workspace.path, "src"), { recursive: true });
    symlinkSync(outside, join(workspace.path, "src"));
    const imported = await work();
    expect(pathsOf(imported)).toStrictEqual(["added src", "removed src/a.txt", "removed src/b.txt"]);
    expect(imported.filesChanged[0]?.newMode).toBe("120000");
  });

  it("imports the files of a nested repository as plain files, never as a gitlink", async () => {
    write("nested/inner.txt", "x\n");
    write("nested/skip.log", "x\n");
    execFileSync("git", ["init", "-q"], { cwd: join(workspace.path, "nested") });
    write("nested/deeper/file.txt", "y\n");
    execFileSync("git", ["init", "-q"], { cwd: join(workspace.path, "nested/deeper") });
    const imported = await work();
    expect(pathsOf(imported)).toStrictEqual(["added nested/deeper/file.txt", "added nested/inner.txt"]);
    expect(imported.filesChanged.map(({ newMode }) => newMode)).toStrictEqual(["100644", "100644"]);
  });

  it("leaves out names that some system treats as .git or as a link at .gitmodules, and says so", async () => {
    write("git~1", "x");
    write("sub/.GIT", "x");
    write("sub\\.git", "x");
    for (const name of [".gitmodules", "GITMOD~1 .:x", "a\\.GitModules", "gi7e~123"])
      symlinkSync("x", join(workspace.path, name));
    write("ok.txt", "x");
    const imported = await work();
    expect(pathsOf(imported)).toStrictEqual(["added ok.txt"]);
    expect(imported.leftOut.map(({ path, reason }) => [String(path), reason])).toStrictEqual([
      [".gitmodules", "git-name"],
      ["GITMOD~1 .:x", "git-name"],
      ["a\\.GitModules", "git-name"],
      ["gi7e~123", "git-name"],
      ["git~1", "git-name"],
      ["sub/.GIT", "git-name"],
      ["sub\\.git", "git-name"],
    ]);
    expect(project.git("fsck", "--strict", "--no-dangling")).toBe("");
  });

  it("keeps names that are not UTF-8 and shows them quoted", async () => {
    writeFileSync(Buffer.concat([Buffer.from(`${workspace.path}/caf`), Buffer.from([0xe9])]), "x");
    const imported = await work();
    expect(pathsOf(imported)).toStrictEqual(['added "caf\\351"']);
    expect(imported.filesChanged[0]?.bytes).toStrictEqual(Buffer.from([0x63, 0x61, 0x66, 0xe9]));
  });

  it("still imports the work if .git was swapped for another repository, and reports it", async () => {
    rmSync(join(workspace.path, ".git"));
    execFileSync("git", ["init", "-q"], { cwd: workspace.path });
    write("src/a.txt", "changed\n");
    const imported = await work();
    expect(imported.tampering).toBe("git-file-changed");
    expect(pathsOf(imported)).toStrictEqual(["changed src/a.txt"]);
  });

  it("does not block if git's metadata became a pipe", async () => {
    const admin = join(project.root, ".git/worktrees", id);
    rmSync(join(admin, "HEAD"));
    execFileSync("mkfifo", [join(admin, "HEAD")]);
    write("src/a.txt", "changed\n");
    const imported = await work();
    expect(pathsOf(imported)).toStrictEqual(["changed src/a.txt"]);
  });

  it("clears a stale lock on its own branch", async () => {
    const lock = join(project.root, `.git/refs/heads/delegation/${id}.lock`);
    writeFileSync(lock, "");
    write("src/a.txt", "changed\n");
    const { tip } = await work();
    expect(project.git("rev-parse", `delegation/${id}`).trim()).toBe(tip);
    expect(existsSync(lock)).toBe(false);
  });

  it("never loses what an earlier import kept, even without branch and log", async () => {
    write("src/a.txt", "first\n");
    const { tip } = await work();
    project.git("update-ref", "-d", `refs/heads/delegation/${id}`);
    rmSync(join(project.root, ".git/worktrees", id, "logs"), { recursive: true, force: true });
    write("src/b.txt", "second\n");
    const again = await work();
    expect(pathsOf(again)).toStrictEqual(["changed src/a.txt", "changed src/b.txt"]);
    expect(project.git("rev-parse", `${again.tip}^`).trim()).toBe(tip);
  });

  it("keeps an ignored file that the worker committed", async () => {
    write("build.log", "wanted\n");
    gitIn("add", "-f", "build.log");
    gitIn("commit", "-qm", "Force");
    write("src/a.txt", "changed\n");
    const imported = await work();
    expect(pathsOf(imported)).toStrictEqual(["added build.log", "changed src/a.txt"]);
    write("build.log", "changed\n");
    expect(project.git("show", `${(await work()).tip}:build.log`)).toBe("changed\n");
    gitIn("rm", "-q", "--cached", "build.log");
    gitIn("commit", "-qm", "No longer");
    expect(pathsOf(await work())).toStrictEqual(["changed src/a.txt"]);
  });

  it("clears the locks that a killed worker left in its own worktree", async () => {
    const admin = join(project.root, ".git/worktrees", id);
    writeFileSync(join(admin, "index.lock"), "");
    mkdirSync(join(admin, "HEAD.lock"));
    rmSync(join(admin, "index"));
    mkdirSync(join(admin, "index/inside"), { recursive: true });
    write("src/a.txt", "changed\n");
    await work();
    expect(gitIn("status", "--porcelain")).toBe("");
    write("src/b.txt", "next attempt\n");
    gitIn("commit", "-qam", "Next attempt");
  });

  it("reports an emptied workspace instead of importing that everything was deleted", async () => {
    for (const name of readdirSync(workspace.path)) rmSync(join(workspace.path, name), { recursive: true });
    await expect(work()).rejects.toMatchObject({ code: "WORKSPACE_GONE" });
  });

  it("reports a workspace that was deleted by hand", async () => {
    removeByHand(workspace.path);
    await expect(work()).rejects.toMatchObject({ code: "WORKSPACE_GONE" });
  });

  it("reports a delegation without a workspace", async () => {
    const { repository, stateDirectory } = project;
    const other = importWork({ repository, stateDirectory }, { id: "US-9", message: "x\n" });
    await expect(other).rejects.toMatchObject({ code: "WORKSPACE_NOT_FOUND" });
  });

  it("records a new executable bit", async () => {
    chmodSync(join(workspace.path, "src/a.txt"), 0o755);
    const { filesChanged } = await work();
    expect(filesChanged.map(({ oldMode, newMode }) => `${oldMode} ${newMode}`)).toStrictEqual([
      "100644 100755",
    ]);
  });
});
