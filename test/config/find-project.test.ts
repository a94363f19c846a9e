import { execFileSync } from "node:child_process";
import { mkdirSync, renameSync, symlinkSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { findMainRoot, findProjectRoot, findTreesRoot } from "../../src/project/find-project.ts";
import { getStateDirectory } from "../../src/project/state-directory.ts";
import { temporaryFolder } from "./temporary-project.ts";

const identity = ["-c", "user.name=A", "-c", "user.email=a@example.com", "-c", "protocol.file.allow=always"];

function git(folder: string, ...args: readonly string[]): string {
  const environment = { PATH: process.env["PATH"], HOME: folder, GIT_CONFIG_NOSYSTEM: "1" };
  return execFileSync("git", [...identity, ...args], {
    cwd: folder,
    env: environment,
    encoding: "utf8",
    stdio: "pipe",
  });
}

function repository(folder: string): string {
  mkdirSync(folder, { recursive: true });
  git(folder, "init", "--quiet");
  git(folder, "commit", "--quiet", "--allow-empty", "--message", "start");
  return folder;
}

describe("the project's root", () => {
  it("is the folder with .git, from any folder below", () => {
    const root = repository(join(temporaryFolder(), "project"));
    mkdirSync(join(root, "a", "b"), { recursive: true });
    expect(findProjectRoot(root)).toBe(root);
    expect(findProjectRoot(join(root, "a", "b"))).toBe(root);
    expect(findProjectRoot(join(root, ".git", "refs"))).toBe(root);
  });

  it("is the current linked worktree, but its state is that of the repository", () => {
    const base = temporaryFolder();
    const root = repository(join(base, "project"));
    for (const place of [join(base, "linked"), join(root, ".ambit", "inner")]) {
      git(root, "worktree", "add", "--quiet", "--detach", place);
      mkdirSync(join(place, "deep"));
      expect(findProjectRoot(join(place, "deep"))).toBe(place);
      expect(findMainRoot(place)).toBe(root);
      expect(getStateDirectory(place)).toBe(join(root, ".git", "ambit"));
      expect(git(place, "rev-parse", "--git-common-dir").trim()).toBe(join(root, ".git"));
    }
    expect(findProjectRoot(join(root, ".git", "worktrees", "linked"))).toBe(root);
  });

  it("is also found in a worktree whose .git file has a relative path", () => {
    const base = temporaryFolder();
    const root = repository(join(base, "project"));
    const linked = join(base, "linked");
    git(root, "worktree", "add", "--quiet", "--detach", linked);
    writeFileSync(join(linked, ".git"), "gitdir: ../project/.git/worktrees/linked\n");
    expect([findProjectRoot(linked), findMainRoot(linked)]).toEqual([linked, root]);
    expect(git(linked, "rev-parse", "--is-inside-work-tree").trim()).toBe("true");
  });

  it("is the submodule itself inside a submodule, and in that one's worktrees", () => {
    const base = temporaryFolder();
    const library = repository(join(base, "library"));
    const root = repository(join(base, "project"));
    git(root, "submodule", "--quiet", "add", library, "vendor/library");
    const submodule = join(root, "vendor", "library");
    expect(findProjectRoot(submodule)).toBe(submodule);
    git(submodule, "worktree", "add", "--quiet", "--detach", join(base, "linked"));
    expect(findProjectRoot(join(base, "linked"))).toBe(join(base, "linked"));
    expect(findMainRoot(join(base, "linked"))).toBe(submodule);
    expect(findProjectRoot(join(root, ".git", "modules", "vendor", "library"))).toBe(submodule);
  });

  it("is a bare repository itself, and a worktree of it in that worktree", () => {
    const base = temporaryFolder();
    const source = repository(join(base, "source"));
    const bare = join(base, "project.git");
    git(base, "clone", "--quiet", "--bare", source, bare);
    git(bare, "worktree", "add", "--quiet", "--detach", join(base, "linked"));
    expect(findProjectRoot(bare)).toBe(bare);
    expect(findProjectRoot(join(bare, "objects"))).toBe(bare);
    expect(findProjectRoot(join(base, "linked"))).toBe(join(base, "linked"));
    // Only the worktree has files.
    expect(findMainRoot(join(base, "linked"))).toBe(join(base, "linked"));
    expect(findTreesRoot(join(base, "linked"))).toBe(bare);
  });

  it.each([[".git"], [".bare"]])("is the folder around worktrees that share a bare %s", (name) => {
    const base = temporaryFolder();
    const source = repository(join(base, "source"));
    const project = join(base, "project");
    mkdirSync(project);
    git(base, "clone", "--quiet", "--bare", source, join(project, name));
    if (name === ".bare") writeFileSync(join(project, ".git"), "gitdir: ./.bare\n");
    git(join(project, name), "worktree", "add", "--quiet", "--detach", join(project, "feature"));
    expect(findProjectRoot(project)).toBe(project);
    expect(findProjectRoot(join(project, "feature"))).toBe(join(project, "feature"));
    expect(findTreesRoot(join(project, "feature"))).toBe(project);
  });

  it("is the checkout of a repository whose git folder is elsewhere and does not name it", () => {
    const base = temporaryFolder();
    const root = repository(join(base, "project"));
    git(root, "init", "--quiet", "--separate-git-dir", join(base, "kept-elsewhere"));
    git(root, "worktree", "add", "--quiet", "--detach", join(base, "linked"));
    expect([findProjectRoot(root), findMainRoot(root)]).toEqual([root, root]);
    expect(findMainRoot(join(base, "linked"))).toBe(join(base, "linked"));
    expect(getStateDirectory(root)).toBe(join(base, "kept-elsewhere", "ambit"));
  });

  it("is the same through symbolic links, to the project or of its .git", () => {
    const base = temporaryFolder();
    const root = repository(join(base, "project"));
    mkdirSync(join(root, "sub"));
    symlinkSync(join(root, "sub"), join(base, "link"));
    expect(findProjectRoot(join(base, "link"))).toBe(root);
    renameSync(join(root, ".git"), join(base, "moved"));
    symlinkSync(join(base, "moved"), join(root, ".git"));
    expect(findProjectRoot(join(root, "sub"))).toBe(root);
  });

  it("is the nearest of nested repositories", () => {
    const outer = repository(join(temporaryFolder(), "outer"));
    const inner = repository(join(outer, "inner"));
    expect(findProjectRoot(inner)).toBe(inner);
  });

  it("is further up if .git is an empty folder, as for git", () => {
    const root = repository(join(temporaryFolder(), "project"));
    mkdirSync(join(root, "sub", ".git"), { recursive: true });
    expect(findProjectRoot(join(root, "sub"))).toBe(root);
    expect(git(join(root, "sub"), "rev-parse", "--show-toplevel").trim()).toBe(root);
  });

  it.each([["gitdir: /nowhere\n"], ["nonsense"], [""], ["gitdir: \n"]])(
    "is unknown if .git is a file of %j, even inside another repository, as for git",
    (text) => {
      const root = repository(join(temporaryFolder(), "project"));
      mkdirSync(join(root, "sub"));
      writeFileSync(join(root, "sub", ".git"), text);
      expect(findProjectRoot(join(root, "sub"))).toBeUndefined();
      expect(() => git(join(root, "sub"), "rev-parse")).toThrow(/gitfile|not a git repository/);
    },
  );

  it("is unknown outside any repository, and for a folder that does not exist", () => {
    const folder = temporaryFolder();
    expect(findProjectRoot(folder)).toBeUndefined();
    expect(findProjectRoot(join(folder, "missing"))).toBeUndefined();
  });
});
