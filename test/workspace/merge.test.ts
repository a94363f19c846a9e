import { execFileSync } from "node:child_process";
import { chmodSync, existsSync, mkdirSync, renameSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { storyBranchName, storyRefName } from "../../src/workspace/branch-names.ts";
import {
  commitCandidate,
  isMerged,
  type MergedTips,
  mergeTips,
  moveBranch,
} from "../../src/workspace/merge.ts";
import { recordParents } from "../../src/workspace/git/ancestry.ts";
import { openRepository } from "../../src/workspace/repository.ts";
import { makeRepository, type TemporaryRepository } from "./temporary-repository.ts";
import { userState } from "./user-state.ts";

let project: TemporaryRepository;
let base: string;

const lines = (changed: Readonly<Record<number, string>> = {}): string =>
  Array.from({ length: 12 }, (_, index) => `${changed[index] ?? `line ${index}`}\n`).join("");

beforeEach(async () => {
  project = await makeRepository({
    "src/a.txt": lines(),
    "src/b.txt": lines(),
    "src/lib/x.txt": "x\n".repeat(9),
    "src/lib/y.txt": "y\n".repeat(9),
    "notes.md": "start\n",
  });
  base = project.git("rev-parse", "HEAD").trim();
});

afterEach(() => project.remove());

/** A commit made beside the user's checkout. */
function commit(change: (path: string) => void, parent = base): string {
  const path = join(project.root, "..", "elsewhere");
  project.git("worktree", "add", "-q", "--detach", path, parent);
  try {
    change(path);
    const git = (...words: string[]): string =>
      execFileSync("git", words, {
        cwd: path,
        encoding: "utf8",
        env: { PATH: process.env["PATH"] ?? "", HOME: project.home },
      });
    git("add", "-A");
    git("commit", "-qm", "Work");
    return git("rev-parse", "HEAD").trim();
  } finally {
    project.git("worktree", "remove", "--force", path);
  }
}

const write =
  (name: string, content: string | Buffer) =>
  (path: string): void => {
    mkdirSync(join(path, name, ".."), { recursive: true });
    writeFileSync(join(path, name), content);
  };

const merge = (ours: string, theirs: string): Promise<MergedTips> => mergeTips(project, { ours, theirs });

function conflictOf(merged: MergedTips): { files: readonly string[]; kinds: readonly string[] } {
  if (merged.status !== "conflict") throw new Error("clean");
  return { files: merged.files, kinds: merged.notes.map(({ kind }) => kind) };
}

describe("merging two commits", () => {
  it("gives the merged tree and touches nothing of the user's", async () => {
    const ours = commit(write("src/a.txt", lines({ 0: "ours" })));
    const theirs = commit(write("src/a.txt", lines({ 11: "theirs" })));
    const before = userState(project);
    const merged = await merge(ours, theirs);
    expect(merged).toMatchObject({ status: "clean", isFastForward: false, isContained: false });
    const tree = merged.status === "clean" ? merged.tree : "";
    expect(project.git("show", `${tree}:src/a.txt`)).toBe(lines({ 0: "ours", 11: "theirs" }));
    expect(userState(project)).toStrictEqual(before);
  });

  it("reports a fast-forward and what is already contained", async () => {
    const tip = commit(write("src/a.txt", "new\n"));
    const tree = project.git("rev-parse", `${tip}^{tree}`).trim();
    expect(await merge(base, tip)).toStrictEqual({
      status: "clean",
      tree,
      isFastForward: true,
      isContained: false,
    });
    expect(await merge(tip, base)).toStrictEqual({
      status: "clean",
      tree,
      isFastForward: false,
      isContained: true,
    });
    expect(await merge(tip, tip)).toMatchObject({ isContained: true, isFastForward: false });
  });

  it("follows renamed files, and asks where a new file in a renamed folder goes, as git does", async () => {
    const ours = commit((path) => renameSync(join(path, "src/lib"), join(path, "src/core")));
    const theirs = commit(write("src/lib/x.txt", `${"x\n".repeat(9)}more\n`));
    const merged = await merge(ours, theirs);
    const tree = merged.status === "clean" ? merged.tree : "";
    expect(project.git("show", `${tree}:src/core/x.txt`)).toBe(`${"x\n".repeat(9)}more\n`);
    const { files, kinds } = conflictOf(await merge(ours, commit(write("src/lib/new.txt", "new\n"), theirs)));
    expect([files, kinds]).toStrictEqual([["src/core/new.txt"], ["CONFLICT (directory rename suggested)"]]);
  });

  const odd = Buffer.from("caf\u00e9.txt", "latin1");
  const cases: readonly (readonly [
    string,
    (path: string) => void,
    (path: string) => void,
    string,
    string,
  ])[] = [
    [
      "content",
      write("src/a.txt", lines({ 3: "o" })),
      write("src/a.txt", lines({ 3: "t" })),
      "src/a.txt",
      "CONFLICT (contents)",
    ],
    ["both added", write("n.txt", "o\n"), write("n.txt", "t\n"), "n.txt", "CONFLICT (contents)"],
    [
      "modified and deleted",
      write("src/a.txt", "o\n"),
      (path) => rmSync(join(path, "src/a.txt")),
      "src/a.txt",
      "CONFLICT (modify/delete)",
    ],
    [
      "binary",
      write("n.bin", Buffer.from([0, 1])),
      write("n.bin", Buffer.from([0, 2])),
      "n.bin",
      "CONFLICT (binary)",
    ],
    [
      "file and link",
      write("n", "o\n"),
      (path) => symlinkSync("src", join(path, "n")),
      "n~HEAD",
      "CONFLICT (distinct modes)",
    ],
    [
      "renamed two ways",
      (path) => renameSync(join(path, "src/lib/x.txt"), join(path, "o.txt")),
      (path) => renameSync(join(path, "src/lib/x.txt"), join(path, "t.txt")),
      "src/lib/x.txt",
      "CONFLICT (rename/rename)",
    ],
    ["file and folder", write("n", "o\n"), write("n/inside", "t\n"), "n~HEAD", "CONFLICT (file/directory)"],
    [
      "names that are not UTF-8",
      (path) => writeFileSync(Buffer.concat([Buffer.from(`${path}/`), odd]), "o\n"),
      (path) => writeFileSync(Buffer.concat([Buffer.from(`${path}/`), odd]), "t\n"),
      '"caf\\351.txt"',
      "CONFLICT (contents)",
    ],
    [
      "submodules",
      (path) =>
        execFileSync("git", ["update-index", "--add", "--cacheinfo", `160000,${"1".repeat(40)},sub`], {
          cwd: path,
        }),
      (path) =>
        execFileSync("git", ["update-index", "--add", "--cacheinfo", `160000,${"2".repeat(40)},sub`], {
          cwd: path,
        }),
      "sub",
      "CONFLICT (submodule",
    ],
  ];

  it.each(cases)("lists the file of a conflict: %s", async (name, ours, theirs, file, kind) => {
    const make = name === "submodules" ? commitIndex : commit;
    const { files, kinds } = conflictOf(await merge(make(ours), make(theirs)));
    expect(files).toContain(file);
    expect(kinds.join()).toContain(kind);
  });

  function commitIndex(change: (path: string) => void): string {
    const path = join(project.root, "..", "elsewhere");
    project.git("worktree", "add", "-q", "--detach", path, base);
    change(path);
    const words = ["-c", "user.name=w", "-c", "user.email=w@w", "commit", "-qm", "Work"];
    execFileSync("git", words, { cwd: path });
    const made = execFileSync("git", ["rev-parse", "HEAD"], { cwd: path, encoding: "utf8" }).trim();
    project.git("worktree", "remove", "--force", path);
    return made;
  }

  it("keeps the mode of one side and the content of the other", async () => {
    const ours = commit((path) => chmodSync(join(path, "notes.md"), 0o755));
    const merged = await merge(ours, commit(write("notes.md", "new\n")));
    const tree = merged.status === "clean" ? merged.tree : "";
    expect(project.git("ls-tree", tree, "notes.md")).toMatch(/^100755 /);
  });

  it("uses a given merge base instead of the one in history", async () => {
    const ours = commit(write("src/a.txt", "same\n"));
    const theirs = commit(write("src/a.txt", "same\n"), commit(write("src/b.txt", "b\n")));
    expect(await mergeTips(project, { ours, theirs, mergeBase: ours })).toMatchObject({ status: "clean" });
    expect(
      conflictOf(
        await mergeTips(project, {
          ours: base,
          theirs: ours,
          mergeBase: commit(write("src/a.txt", "third\n")),
        }),
      ).files,
    ).toStrictEqual(["src/a.txt"]);
  });

  it("refuses unrelated histories", async () => {
    const other = project.git("commit-tree", "-m", "Other", "HEAD^{tree}").trim();
    await expect(merge(base, other)).rejects.toMatchObject({ code: "UNRELATED_HISTORIES" });
  });

  it("works in a shallow repository", async () => {
    const start = commit(write("notes.md", "second\n"));
    project.git("branch", "ours", commit(write("src/a.txt", "ours\n"), start));
    project.git("branch", "theirs", commit(write("src/b.txt", "theirs\n"), start));
    const shallow = join(project.root, "../shallow");
    const words = ["clone", "-q", "--depth=2", "--no-single-branch", `file://${project.root}`, shallow];
    execFileSync("git", words);
    const repository = await openRepository(shallow, project.repository.host);
    const context = { repository, stateDirectory: join(shallow, ".git/ambit") };
    expect(repository.isShallow).toBe(true);
    const [ours = "", theirs = ""] = ["ours", "theirs"].map((name) => project.git("rev-parse", name).trim());
    expect(await mergeTips(context, { ours, theirs })).toMatchObject({
      status: "clean",
      isFastForward: false,
    });
  });

  it("honours the project's attributes: lines of both sides, or none", async () => {
    const start = commit((path) => {
      write(".gitattributes", "notes.md merge=union\n")(path);
      write("src/.gitattributes", "a.txt -merge\n")(path);
    });
    const ours = commit((path) => {
      write("notes.md", "start\nours\n")(path);
      write("src/a.txt", lines({ 0: "ours" }))(path);
    }, start);
    const notes = await merge(ours, commit(write("notes.md", "start\ntheirs\n"), start));
    const tree = notes.status === "clean" ? notes.tree : "";
    expect(project.git("show", `${tree}:notes.md`)).toBe("start\nours\ntheirs\n");
    const apart = await merge(ours, commit(write("src/a.txt", lines({ 11: "theirs" })), start));
    expect(conflictOf(apart).files).toStrictEqual(["src/a.txt"]);
  });

  it("never runs a merge driver, even one that the repository names", async () => {
    const ran = join(project.root, "../ran");
    project.git("config", "merge.evil.driver", `touch ${ran}`);
    project.git("config", "merge.default", "evil");
    writeFileSync(join(project.root, ".git/info/attributes"), "* merge=evil\n");
    const start = commit(write(".gitattributes", "* merge=evil\n"));
    const ours = commit(write("src/a.txt", lines({ 0: "ours" })), start);
    const theirs = commit(write("src/a.txt", lines({ 11: "theirs" })), start);
    expect(await merge(ours, theirs)).toMatchObject({ status: "clean" });
    expect(existsSync(ran)).toBe(false);
    // The same merge by a git that reads the repository's settings does run it.
    project.git("merge-tree", "--write-tree", ours, theirs);
    expect(existsSync(ran)).toBe(true);
  });
});

describe("merging our own commits", () => {
  const claim = (commitId: string): void => recordParents(project.repository, commitId, [base]);
  /** The same repository on a machine where no git can be started. */
  const mergeAlone = (ours: string, theirs: string): Promise<MergedTips> => {
    const host = { ...project.repository.host, searchPath: "/nonexistent" };
    return mergeTips({ ...project, repository: { ...project.repository, host } }, { ours, theirs });
  };

  it("starts no git for files that only one side has touched", async () => {
    const ours = commit(write("src/a.txt", "ours\n"));
    const theirs = commit((path) => {
      write("src/b.txt", "theirs\n")(path);
      write("src/new/c.txt", "new\n")(path);
      chmodSync(join(path, "notes.md"), 0o755);
    });
    const byGit = await merge(ours, theirs);
    for (const one of [ours, theirs]) claim(one);
    expect(await merge(ours, theirs)).toStrictEqual(byGit);
    expect(await mergeAlone(ours, theirs)).toStrictEqual(byGit);
  });

  it.each([
    ["the same file", write("src/a.txt", "ours\n"), write("src/a.txt", "theirs\n")],
    ["a file for a folder", write("src/new", "ours\n"), write("src/new/c.txt", "theirs\n")],
    ["a folder for a file", write("src/new/c.txt", "ours\n"), write("src/new", "theirs\n")],
    [
      "a folder that moved",
      (path: string) => renameSync(join(path, "src/lib"), join(path, "src/library")),
      write("src/lib/z.txt", "z\n"),
    ],
    [
      "a new file in a folder that moved",
      write("src/lib/z.txt", "z\n"),
      (path: string) => renameSync(join(path, "src/lib"), join(path, "src/library")),
    ],
    [
      "a file that moved",
      write("src/a.txt", lines({ 3: "ours" })),
      (path: string) => renameSync(join(path, "src/a.txt"), join(path, "src/moved.txt")),
    ],
  ])("leaves %s to git", async (_, change, other) => {
    const [ours, theirs] = [commit(change), commit(other)];
    const byGit = await merge(ours, theirs);
    for (const one of [ours, theirs]) claim(one);
    expect(await merge(ours, theirs)).toStrictEqual(byGit);
    await expect(mergeAlone(ours, theirs)).rejects.toThrow("git");
  });
});

describe("the commit of a candidate", () => {
  it("is the one that git writes", async () => {
    const tree = project.git("rev-parse", `${base}^{tree}`).trim();
    const message = "Merge US-1-DEL-001\n\nWith a bodÿ\n";
    const made = await commitCandidate(project.repository, {
      tree,
      parents: [base, base],
      message,
      timeSeconds: 7,
    });
    expect(project.git("cat-file", "commit", made)).toBe(
      `tree ${tree}\nparent ${base}\nauthor ambit <ambit@localhost> 7 +0000\ncommitter ambit <ambit@localhost> 7 +0000\n\n${message}`,
    );
    const email = { GIT_AUTHOR_EMAIL: "ambit@localhost", GIT_COMMITTER_EMAIL: "ambit@localhost" };
    const date = { GIT_AUTHOR_DATE: "@7 +0000", GIT_COMMITTER_DATE: "@7 +0000" };
    const byGit = execFileSync("git", ["commit-tree", "-p", base, tree], {
      cwd: project.root,
      input: message,
      encoding: "utf8",
      env: {
        PATH: process.env["PATH"],
        GIT_AUTHOR_NAME: "ambit",
        GIT_COMMITTER_NAME: "ambit",
        ...email,
        ...date,
      },
    });
    expect(made).toBe(byGit.trim());
  });

  it("is the same for the same inputs at any time", async () => {
    const tip = commit(write("src/a.txt", "new\n"));
    const request = {
      tree: project.git("rev-parse", `${tip}^{tree}`).trim(),
      parents: [base, tip],
      message: "Merge US-1-DEL-001\n\nWith a bodÿ\n",
      timeSeconds: 1_700_000_000,
    };
    const first = await commitCandidate(project.repository, request);
    writeFileSync(
      join(project.home, ".gitconfig"),
      "[user]\n\tname = Eve\n[i18n]\n\tcommitEncoding = latin1\n",
    );
    project.git("config", "i18n.commitEncoding", "latin1");
    expect(await commitCandidate(project.repository, request)).toBe(first);
    expect(project.git("log", "-1", "--format=%an <%ae> %at|%P|%s", first).trim()).toBe(
      `ambit <ambit@localhost> 1700000000|${base} ${tip}|Merge US-1-DEL-001`,
    );
    expect(await commitCandidate(project.repository, { ...request, timeSeconds: 1 })).not.toBe(first);
  });
});

describe("moving one of our branches", () => {
  const ref = storyRefName("US-010");

  it("creates it, moves it, and does nothing the second time", async () => {
    const tip = commit(write("src/a.txt", "new\n"));
    expect(await moveBranch(project.repository, { ref, from: null, to: base })).toBe("moved");
    expect(await moveBranch(project.repository, { ref, from: null, to: base })).toBe("already");
    expect(await moveBranch(project.repository, { ref, from: base, to: tip })).toBe("moved");
    expect(await moveBranch(project.repository, { ref, from: base, to: tip })).toBe("already");
    expect(project.git("rev-parse", storyBranchName("US-010")).trim()).toBe(tip);
    expect(await moveBranch(project.repository, { ref, from: null, to: base })).toBe("raced");
    expect(await moveBranch(project.repository, { ref: storyRefName("US-011"), from: base, to: tip })).toBe(
      "raced",
    );
  });

  it("lets one of two concurrent moves win", async () => {
    const tips = [commit(write("one", "1\n")), commit(write("two", "2\n"))];
    await moveBranch(project.repository, { ref, from: null, to: base });
    const moved = await Promise.all(
      tips.map((to) => moveBranch(project.repository, { ref, from: base, to })),
    );
    expect(moved.toSorted()).toStrictEqual(["moved", "raced"]);
    expect(tips[moved.indexOf("moved")]).toBe(project.git("rev-parse", ref).trim());
  });

  it("leaves it alone if the user has it checked out, here or in a linked worktree", async () => {
    const tip = commit(write("src/a.txt", "new\n"));
    await moveBranch(project.repository, { ref, from: null, to: base });
    project.git("checkout", "-q", "ambit/US-010");
    const before = userState(project);
    expect(await moveBranch(project.repository, { ref, from: base, to: tip })).toBe("held-elsewhere");
    expect(userState(project)).toStrictEqual(before);
    project.git("checkout", "-q", "main");
    project.git("worktree", "add", "-q", join(project.root, "../linked"), "ambit/US-010");
    expect(await moveBranch(project.repository, { ref, from: base, to: tip })).toBe("held-elsewhere");
  });

  it("is not stopped by a lock that a killed git left on it", async () => {
    const own = "refs/ambit/integration/US-010-DEL-001";
    await moveBranch(project.repository, { ref: own, from: null, to: base });
    writeFileSync(join(project.root, ".git", `${own}.lock`), "");
    const tip = commit(write("src/a.txt", "new\n"));
    expect(await moveBranch(project.repository, { ref: own, from: base, to: tip })).toBe("moved");
  });

  it("knows which commits are merged", async () => {
    const tip = commit(write("src/a.txt", "new\n"));
    expect(await isMerged(project.repository, { tip: base, into: tip })).toBe(true);
    expect(await isMerged(project.repository, { tip, into: tip })).toBe(true);
    expect(await isMerged(project.repository, { tip, into: base })).toBe(false);
    await expect(isMerged(project.repository, { tip: "1".repeat(40), into: base })).rejects.toMatchObject({
      code: "GIT_FAILED",
    });
  });
});
