import { execFileSync } from "node:child_process";
import {
  chmodSync,
  existsSync,
  lstatSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  readlinkSync,
  rmSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from "node:fs";
import { join } from "node:path";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { openRepository } from "../../src/workspace/repository.ts";
import {
  applyMerge,
  type MergeApplied,
  type MergeRequest,
  previewMerge,
  undoMerge,
} from "../../src/workspace/user-merge.ts";
import { commitElsewhere, edit, readContentState } from "./story-commit.ts";
import { bundleProgram, runAndKill } from "./kill-at-git-call.ts";
import { makeRepository, type TemporaryRepository } from "./temporary-repository.ts";
import { userState } from "./user-state.ts";

const story = "US-010";
let project: TemporaryRepository;
let base: string;

beforeEach(async () => {
  project = await makeRepository({
    ".gitignore": "*.log\n",
    "src/a.txt": "a\n",
    "src/b.txt": "b\n",
    "src/deep/only.txt": "only\n",
    "other.txt": "other\n",
    "run.sh": "echo\n",
  });
  base = head();
});

afterEach(() => project.remove());

function head(ref = "HEAD"): string {
  return project.git("rev-parse", ref).trim();
}

const storyCommit = (change: (path: string) => void, parent = base): string =>
  commitElsewhere(project, change, parent);

const request = (tip: string, more: Partial<MergeRequest> = {}): MergeRequest => ({ story, tip, ...more });
const apply = (tip: string, more: Partial<MergeRequest> = {}): Promise<MergeApplied> =>
  applyMerge(project, { ...request(tip, more), timeSeconds: 1_700_000_000 });
const undo = (): ReturnType<typeof undoMerge> => undoMerge(project, { story });

function read(path: string): string {
  return readFileSync(join(project.root, path), "utf8");
}

function status(): string {
  return project.git("status", "--porcelain", "--untracked-files=all");
}

const contentState = (): ReturnType<typeof readContentState> => readContentState(project);

describe("the preview of a merge into the user's branch", () => {
  it("reports a fast-forward, and what changes", async () => {
    const tip = storyCommit(edit({ "src/a.txt": "a\nmore\n", "src/c.txt": "c\n" }));
    const before = userState(project);
    expect(await previewMerge(project, request(tip))).toMatchObject({
      status: "ready",
      way: "fast-forward",
      branch: "refs/heads/main",
      from: base,
      tip,
      isCheckedOut: true,
      diff: { added: 2, removed: 0, files: [{ path: "src/a.txt" }, { path: "src/c.txt", kind: "added" }] },
    });
    expect(userState(project)).toStrictEqual(before);
  });

  it("reports a merge commit, a conflict with its files, or an existing merge", async () => {
    const tip = storyCommit(edit({ "src/a.txt": "story\n" }));
    project.write("src/b.txt", "user\n");
    project.git("commit", "-qam", "User");
    expect(await previewMerge(project, request(tip))).toMatchObject({ status: "ready", way: "merge-commit" });
    expect(await previewMerge(project, request(tip, { way: "squash" }))).toMatchObject({ way: "squash" });
    project.write("src/a.txt", "user\n");
    project.git("commit", "-qam", "User again");
    expect(await previewMerge(project, request(tip))).toMatchObject({
      status: "conflict",
      files: ["src/a.txt"],
      notes: [{ kind: "CONFLICT (contents)" }],
    });
    expect(await previewMerge(project, request(base))).toMatchObject({ status: "already-merged" });
  });

  it("names the reason that prevents the merge", async () => {
    const tip = storyCommit(edit({ "src/a.txt": "story\n" }));
    const kindOf = async (more: Partial<MergeRequest> = {}): Promise<string> => {
      const preview = await previewMerge(project, request(tip, more));
      return preview.status === "refused" ? preview.kind : preview.status;
    };
    expect(await kindOf({ branch: "refs/heads/none" })).toBe("branch-missing");
    project.git("checkout", "-q", "--detach");
    expect(await kindOf()).toBe("detached-head");
    project.git("worktree", "add", "-q", join(project.root, "../linked"), "main");
    expect(await kindOf({ branch: "refs/heads/main" })).toBe("branch-checked-out");
    project.git("checkout", "-q", "--orphan", "fresh");
    expect(await kindOf()).toBe("unborn-branch");
    project.git("commit", "-qm", "Unrelated");
    expect(await kindOf()).toBe("unrelated-histories");
  });

  it.each([
    ["MERGE_HEAD", "operation-in-progress"],
    ["CHERRY_PICK_HEAD", "operation-in-progress"],
    ["rebase-merge", "operation-in-progress"],
    ["index.lock", "index-locked"],
  ])("reports that git left %s, and leaves it there", async (name, kind) => {
    const tip = storyCommit(edit({ "src/a.txt": "story\n" }));
    writeFileSync(join(project.root, ".git", name), `${base}\n`);
    const before = userState(project);
    expect(await previewMerge(project, request(tip))).toMatchObject({ status: "refused", kind });
    expect(await apply(tip)).toMatchObject({ status: "refused", kind, code: "MERGE_REFUSED" });
    expect(userState(project)).toStrictEqual(before);
  });
});

describe("merging into the user's branch", () => {
  it("fast-forwards branch, index and files, and leaves every other edit alone", async () => {
    const tip = storyCommit(
      edit({ "src/a.txt": "story\n", "src/new/c.txt": "c\n", "src/deep/only.txt": null }),
    );
    project.write("src/b.txt", "unstaged\n");
    project.write("other.txt", "staged\n");
    project.git("add", "other.txt");
    project.write("other.txt", "staged and changed again\n");
    project.write("untracked.txt", "mine\n");
    project.write("debug.log", "ignored\n");
    const kept = ["src/b.txt", "other.txt", "untracked.txt", "debug.log", "run.sh"];
    const before = userState(project);
    expect(await apply(tip)).toStrictEqual({
      status: "merged",
      way: "fast-forward",
      branch: "refs/heads/main",
      from: base,
      to: tip,
    });
    expect(head()).toBe(tip);
    expect(read("src/a.txt")).toBe("story\n");
    expect(existsSync(join(project.root, "src/deep"))).toBe(false);
    expect(status()).toBe("MM other.txt\n M src/b.txt\n?? untracked.txt\n");
    const after = userState(project);
    for (const path of kept) expect(after[path]).toBe(before[path]);
    expect(project.git("show", ":other.txt")).toBe("staged\n");
    expect(project.git("reflog", "-1", "--format=%gs").trim()).toBe(`ambit merge ${story}: fast-forward`);
    expect(existsSync(join(project.root, ".git/index.lock"))).toBe(false);
  });

  it("makes a merge commit with both parents, by the user, if the branch has moved", async () => {
    const tip = storyCommit(edit({ "src/a.txt": "story\n" }));
    project.write("src/b.txt", "user\n");
    project.git("commit", "-qam", "User");
    const from = head();
    expect(await apply(tip)).toMatchObject({ status: "merged", way: "merge-commit", from, to: head() });
    expect(project.git("log", "-1", "--format=%P|%an|%s").trim()).toBe(
      `${from} ${tip}|Ada|Merge ambit/${story}`,
    );
    expect([read("src/a.txt"), read("src/b.txt"), status()]).toStrictEqual(["story\n", "user\n", ""]);
    expect(await apply(tip)).toMatchObject({ status: "already-merged" });
  });

  it("makes one commit on request, and then knows that everything is merged", async () => {
    const tip = storyCommit(edit({ "src/c.txt": "c\n" }), storyCommit(edit({ "src/a.txt": "story\n" })));
    expect(await applyMerge(project, { story, tip, way: "squash", message: "One thing\n" })).toMatchObject({
      status: "merged",
      way: "squash",
    });
    expect(project.git("log", "-1", "--format=%P|%s").trim()).toBe(`${base}|One thing`);
    expect(project.git("diff", "--stat", tip)).toBe("");
    expect(await apply(tip, { way: "squash" })).toMatchObject({ status: "already-merged" });
  });

  it("moves only the ref if the branch is not checked out", async () => {
    const tip = storyCommit(edit({ "src/a.txt": "story\n" }));
    project.git("branch", "release");
    project.write("src/a.txt", "user's edit of the same file\n");
    const before = contentState();
    expect(await apply(tip, { branch: "refs/heads/release" })).toMatchObject({ status: "merged", to: tip });
    expect(head("release")).toBe(tip);
    expect(await undo()).toMatchObject({ status: "undone", to: base });
    expect(head("release")).toBe(base);
    expect({ ...contentState(), refs: "" }).toStrictEqual({ ...before, refs: "" });
  });

  it("handles links, modes, names that are not UTF-8, files that become folders and folders that become files", async () => {
    const odd = Buffer.from('caf\u00e9 "x"\n.txt', "latin1");
    const at = (root: string): Buffer => Buffer.concat([Buffer.from(`${root}/`), odd]);
    const tip = storyCommit((path) => {
      writeFileSync(at(path), "odd\n");
      symlinkSync("src/a.txt", join(path, "link"));
      chmodSync(join(path, "run.sh"), 0o755);
      rmSync(join(path, "src/a.txt"));
      mkdirSync(join(path, "src/a.txt"));
      writeFileSync(join(path, "src/a.txt/inside"), "inside\n");
      rmSync(join(path, "src/deep"), { recursive: true });
      writeFileSync(join(path, "src/deep"), "a file now\n");
      writeFileSync(join(path, "bytes"), Buffer.from([0, 255, 10, 13]));
    });
    const before = contentState();
    mkdirSync(join(project.root, "src/deep/empty/er"), { recursive: true });
    expect(await apply(tip)).toMatchObject({ status: "merged" });
    expect(status()).toBe("");
    expect(readlinkSync(join(project.root, "link"))).toBe("src/a.txt");
    expect(statSync(join(project.root, "run.sh")).mode & 0o111).toBe(0o111);
    expect(readFileSync(at(project.root), "utf8")).toBe("odd\n");
    expect([read("src/a.txt/inside"), read("src/deep")]).toStrictEqual(["inside\n", "a file now\n"]);
    expect(await undo()).toMatchObject({ status: "undone" });
    expect({ ...contentState(), refs: "" }).toStrictEqual({ ...before, refs: "" });
  });

  it("writes line ends as the project and the user want them", async () => {
    project.git("config", "core.autocrlf", "true");
    const tip = storyCommit(
      edit({ ".gitattributes": "*.sh text eol=lf\n", "new.txt": "one\ntwo\n", "new.sh": "one\ntwo\n" }),
    );
    expect(await apply(tip)).toMatchObject({ status: "merged" });
    expect([read("new.txt"), read("new.sh")]).toStrictEqual(["one\r\ntwo\r\n", "one\ntwo\n"]);
    expect(status()).toBe("");
  });

  it("keeps the user's index flags, even in a split index", async () => {
    project.git("update-index", "--split-index");
    project.git("update-index", "--assume-unchanged", "other.txt");
    project.git("update-index", "--skip-worktree", "run.sh");
    const tip = storyCommit(edit({ "src/a.txt": "story\n" }));
    expect(await apply(tip)).toMatchObject({ status: "merged" });
    expect(
      project
        .git("ls-files", "-v")
        .split("\n")
        .filter((line) => !line.startsWith("H ")),
    ).toStrictEqual(["h other.txt", "S run.sh", ""]);
    expect(status()).toBe("");
    expect(await undo()).toMatchObject({ status: "undone" });
    expect(status()).toBe("");
  });

  it.each([false, true])("works in a sparse checkout (sparse index: %s)", async (hasSparseIndex) => {
    const index = hasSparseIndex ? ["--sparse-index"] : [];
    project.git("sparse-checkout", "set", "--cone", ...index, "src/deep");
    const flags = (): string => project.git("ls-files", "-t");
    const before = { flags: flags(), status: status() };
    writeFileSync(join(project.root, "other.txt"), "mine\n");
    const tip = storyCommit(edit({ "src/deep/only.txt": "story\n", "src/deep/new.txt": "new\n" }));
    expect(await apply(tip)).toMatchObject({ status: "merged" });
    expect([read("src/deep/only.txt"), read("src/deep/new.txt"), read("other.txt")]).toStrictEqual([
      "story\n",
      "new\n",
      "mine\n",
    ]);
    expect(status()).toBe(" M other.txt\n");
    expect(await undo()).toMatchObject({ status: "undone" });
    expect(flags()).toBe(before.flags);
    expect(status()).toBe(" M other.txt\n");
  });

  it("names the files that a sparse checkout leaves out, and changes nothing", async () => {
    project.write("far/away/a.txt", "a\n");
    project.git("add", "-A");
    project.git("commit", "-qm", "Far");
    const change = {
      "far/away/a.txt": "story\n",
      "far/away/new.txt": "new\n",
      "src/deep/only.txt": "story\n",
    };
    const tip = storyCommit(edit(change), head());
    project.git("sparse-checkout", "set", "--cone", "src/deep");
    const before = userState(project);
    const refusal = {
      status: "refused",
      kind: "sparse-checkout",
      files: ["far/away/a.txt", "far/away/new.txt"],
    };
    expect(await previewMerge(project, request(tip))).toMatchObject(refusal);
    expect(await apply(tip)).toMatchObject(refusal);
    expect(userState(project)).toStrictEqual(before);
    project.git("sparse-checkout", "add", "far");
    expect(await apply(tip)).toMatchObject({ status: "merged" });
    expect(read("far/away/new.txt")).toBe("new\n");
  });

  it("works in a user's linked worktree", async () => {
    const path = join(project.root, "../linked");
    project.git("worktree", "add", "-q", "-b", "topic", path);
    const tip = storyCommit(edit({ "src/a.txt": "story\n" }));
    const repository = await openRepository(path, project.repository.host);
    const before = contentState();
    const merged = await applyMerge({ ...project, repository }, { story, tip });
    expect(merged).toMatchObject({ status: "merged", branch: "refs/heads/topic", to: tip });
    expect(readFileSync(join(path, "src/a.txt"), "utf8")).toBe("story\n");
    expect(execFileSync("git", ["status", "--porcelain"], { cwd: path, encoding: "utf8" })).toBe("");
    expect({ ...contentState(), refs: "" }).toStrictEqual({ ...before, refs: "" });
  });

  it("runs no hook, monitor, merge driver or diff program", async () => {
    const fire = `touch ${join(project.root, "../ran")}`;
    for (const hook of ["post-checkout", "post-merge", "reference-transaction", "post-index-change"])
      writeFileSync(join(project.root, ".git/hooks", hook), `#!/bin/sh\n${fire}\n`, { mode: 0o755 });
    project.git("config", "core.fsmonitor", fire);
    project.git("config", "merge.evil.driver", fire);
    project.git("config", "diff.evil.textconv", fire);
    writeFileSync(join(project.root, ".git/info/attributes"), "* merge=evil diff=evil\n");
    const tip = storyCommit(edit({ "src/a.txt": "1\n2\n3\n" }));
    project.write("src/a.txt", "a\n");
    // An ordinary git has run them by now.
    expect(existsSync(join(project.root, "../ran"))).toBe(true);
    rmSync(join(project.root, "../ran"));
    await previewMerge(project, request(tip));
    expect(await apply(tip)).toMatchObject({ status: "merged" });
    expect(await undo()).toMatchObject({ status: "undone" });
    expect(existsSync(join(project.root, "../ran"))).toBe(false);
  });

  it("refuses names that lead out of the checkout, and creates nothing there", async () => {
    const blob = project.git("rev-parse", "HEAD:other.txt").trim();
    const tree = (entries: readonly string[]): string =>
      execFileSync("git", ["hash-object", "-t", "tree", "-w", "--literally", "--stdin"], {
        cwd: project.root,
        input: Buffer.concat(
          entries.flatMap((entry) => [Buffer.from(`${entry}\0`), Buffer.from(blob, "hex")]),
        ),
        encoding: "utf8",
      }).trim();
    for (const [entry, shown] of [
      ["160000 ..", ".."],
      ["100644 .git", ".git"],
    ] as const) {
      const words = ["commit-tree", "-m", "Hostile", "-p", base, tree([entry])];
      const tip = execFileSync("git", words, {
        cwd: project.root,
        encoding: "utf8",
        env: { ...process.env, HOME: project.home },
      }).trim();
      const before = userState(project);
      const refused = await apply(tip);
      expect(refused).toMatchObject({ status: "refused", kind: "unsafe-names", files: [shown] });
      expect(userState(project)).toStrictEqual(before);
    }
  });

  it("refuses files that a user's filter produces, and names them", async () => {
    const tip = storyCommit(
      edit({ ".gitattributes": "*.bin filter=lfs\n", "big.bin": "pointer\n", "small.txt": "x\n" }),
    );
    project.git("config", "filter.lfs.smudge", "cat");
    const before = userState(project);
    expect(await apply(tip)).toMatchObject({
      kind: "files-behind-filters",
      message: "A filter program of yours, such as Git LFS, writes 1 file of this merge",
      files: ["big.bin"],
    });
    expect(userState(project)).toStrictEqual(before);
  });

  it.each([
    ["changes", () => edit({ "big.bin": "pointer to another\n" })],
    ["removes", () => edit({ "big.bin": null })],
  ])("does not mistake a file behind a filter for a user's edit when the work %s it", async (_how, work) => {
    project.write(".gitattributes", "*.bin filter=vault\n");
    project.write("big.bin", "pointer\n");
    project.git("add", "-A");
    project.git("commit", "-qm", "Pointer");
    const tip = storyCommit(work(), head());
    project.git("config", "filter.vault.smudge", "cat");
    project.write("big.bin", "the content, as the filter puts it in place\n");
    const before = userState(project);
    expect(await apply(tip)).toMatchObject({ kind: "files-behind-filters", files: ["big.bin"] });
    expect(userState(project)).toStrictEqual(before);
    // Without the filter it is an edit like any other (control).
    project.git("config", "--remove-section", "filter.vault");
    expect(await apply(tip)).toMatchObject({ kind: "files-in-the-way", files: ["big.bin"] });
  });

  it("removes a file behind a filter if it is only a pointer", async () => {
    project.write(".gitattributes", "*.bin filter=vault\n");
    project.write("big.bin", "pointer\n");
    project.git("add", "-A");
    project.git("commit", "-qm", "Pointer");
    project.git("config", "filter.vault.smudge", "cat");
    const tip = storyCommit(edit({ "big.bin": null }), head());
    expect(await apply(tip)).toMatchObject({ status: "merged" });
    expect(existsSync(join(project.root, "big.bin"))).toBe(false);
  });
});

describe("edits in the way of a merge", () => {
  const inTheWay: readonly (readonly [string, () => void, readonly string[]])[] = [
    ["changed", () => project.write("src/a.txt", "mine\n"), ["src/a.txt"]],
    [
      "staged",
      () => {
        project.write("src/a.txt", "mine\n");
        project.git("add", "src/a.txt");
        project.write("src/a.txt", "a\n");
      },
      ["src/a.txt"],
    ],
    ["removed", () => rmSync(join(project.root, "src/a.txt")), ["src/a.txt"]],
    ["untracked", () => project.write("new/c.txt", "mine\n"), ["new/c.txt"]],
    ["ignored", () => project.write("made.log", "mine\n"), ["made.log"]],
    ["a folder", () => project.write("new/c.txt/mine", "mine\n"), ["new/c.txt/mine"]],
    ["in place of a folder", () => project.write("new", "mine\n"), ["new"]],
    ["a link in place of a folder", () => symlinkSync("src", join(project.root, "new")), ["new"]],
    [
      "hidden from git's own look",
      () => {
        project.git("update-index", "--assume-unchanged", "src/a.txt");
        project.write("src/a.txt", "mine\n");
      },
      ["src/a.txt"],
    ],
    [
      "changed, with the old size and time",
      () => {
        const stats = lstatSync(join(project.root, "src/a.txt"));
        project.write("src/a.txt", "z\n");
        execFileSync("touch", ["-d", `@${String(stats.mtimeMs / 1000)}`, join(project.root, "src/a.txt")]);
      },
      ["src/a.txt"],
    ],
  ];

  it.each(inTheWay)("prevent it if they are %s, and stay as they are", async (_, prepare, files) => {
    const tip = storyCommit(edit({ "src/a.txt": "story\n", "new/c.txt": "c\n", "made.log": "x\n" }));
    prepare();
    const before = userState(project);
    expect(await previewMerge(project, request(tip))).toMatchObject({ kind: "files-in-the-way", files });
    expect(await apply(tip)).toMatchObject({ status: "refused", kind: "files-in-the-way", files });
    expect(userState(project)).toStrictEqual(before);
    expect(readdirSync(join(project.stateDirectory, "git"))).toStrictEqual([]);
  });

  it("are not in the way if they already match the merge", async () => {
    const tip = storyCommit(edit({ "new/c.txt": "c\n" }));
    project.write("new/c.txt", "c\n");
    expect(await apply(tip)).toMatchObject({ status: "merged" });
    expect(status()).toBe("");
    expect(await undo()).toMatchObject({ status: "undone" });
    expect([read("new/c.txt"), status()]).toStrictEqual(["c\n", "?? new/c.txt\n"]);
  });
});

describe("undoing a merge", () => {
  it("restores branch, index and files, and keeps the user's other edits", async () => {
    const tip = storyCommit(
      edit({ "src/a.txt": "story\n", "src/new/c.txt": "c\n", "src/deep/only.txt": null }),
    );
    project.write("src/b.txt", "mine\n");
    project.git("add", "src/b.txt");
    const before = contentState();
    await apply(tip);
    expect(head("refs/ambit/undo/US-010^1")).toBe(base);
    expect(head("refs/ambit/undo/US-010^2")).toBe(tip);
    expect(await undo()).toStrictEqual({ status: "undone", branch: "refs/heads/main", from: tip, to: base });
    expect(contentState()).toStrictEqual(before);
    expect(project.git("for-each-ref", "refs/ambit/undo")).toBe("");
    expect(await undo()).toMatchObject({ kind: "nothing-to-undo" });
  });

  it("goes back one merge at a time", async () => {
    const first = storyCommit(edit({ "src/a.txt": "one\n" }));
    const second = storyCommit(edit({ "src/a.txt": "two\n" }), first);
    await apply(first);
    await apply(second);
    expect(await undo()).toMatchObject({ status: "undone", to: first });
    expect(read("src/a.txt")).toBe("one\n");
    expect(await undo()).toMatchObject({ status: "undone", to: base });
    expect(status()).toBe("");
  });

  it("refuses if the branch moved on, or a file of the merge was changed since", async () => {
    const tip = storyCommit(edit({ "src/a.txt": "story\n" }));
    await apply(tip);
    project.write("src/a.txt", "edited\n");
    const before = userState(project);
    expect(await undo()).toMatchObject({ kind: "files-in-the-way", files: ["src/a.txt"] });
    expect(userState(project)).toStrictEqual(before);
    project.git("commit", "-qam", "Going on");
    expect(await undo()).toMatchObject({
      kind: "branch-moved",
      message: "main has moved since this merge",
      recommendation: expect.stringMatching(/: git revert [0-9a-f]{12}\.\.[0-9a-f]{12}$/),
    });
    expect(read("src/a.txt")).toBe("edited\n");
  });
});

describe("a merge that is killed", () => {
  it("has happened, has not happened, or is completed by the next call", { timeout: 300_000 }, async () => {
    const program = await bundleProgram("test/workspace/merge-one.ts");
    try {
      const tip = storyCommit(
        edit({ "src/a.txt": "story\n", "src/new/c.txt": "c\n", "src/deep/only.txt": null }),
      );
      project.write("src/b.txt", "mine\n");
      project.git("add", "src/b.txt");
      project.write("untracked.txt", "mine\n");
      const before = contentState();
      await apply(tip);
      const after = contentState();
      await undo();
      for (const way of [tip, "undo"]) await killEverywhere(program, way, { before, after });
    } finally {
      rmSync(program);
    }
  });

  async function killEverywhere(
    program: string,
    way: string,
    states: { readonly before: object; readonly after: object },
  ): Promise<void> {
    const tip = way === "undo" ? head("refs/ambit/test-tip") : way;
    project.git("update-ref", "refs/ambit/test-tip", tip);
    const { root, home, stateDirectory } = project;
    const [start, end] = way === "undo" ? [states.after, states.before] : [states.before, states.after];
    for (let call = 1, isOver = false; !isOver; call += 1) {
      if (way === "undo") await apply(tip);
      expect(contentState()).toStrictEqual(start);
      isOver = !(await runAndKill({
        folder: join(root, "..", "bin"),
        program,
        words: [root, home, stateDirectory, story, way],
        at: call,
        after: call % 2 === 0,
      }));
      const next = way === "undo" ? await undo() : await apply(tip);
      const isDone = isOver
        ? ["already-merged", "refused"]
        : ["merged", "undone", "already-merged", "refused"];
      expect(isDone).toContain(next.status);
      expect(contentState()).toStrictEqual(end);
      expect(readdirSync(join(root, ".git")).filter((name) => name.startsWith("index"))).toStrictEqual([
        "index",
      ]);
      expect(existsSync(join(stateDirectory, "user-merge.json"))).toBe(false);
      if (way !== "undo") await undo();
    }
  }

  it("is left to the user if they changed its files in the meantime", async () => {
    const tip = storyCommit(edit({ "src/a.txt": "story\n", "other.txt": "story\n" }));
    const program = await bundleProgram("test/workspace/merge-one.ts");
    try {
      const { root, home, stateDirectory } = project;
      const words = [root, home, stateDirectory, story, tip];
      // The files are there by then, and the branch is not.
      await runAndKill({
        folder: join(root, "..", "bin"),
        program,
        words,
        at: "update-ref -m",
        after: false,
      });
    } finally {
      rmSync(program);
    }
    expect([read("src/a.txt"), head()]).toStrictEqual(["story\n", base]);
    expect(await previewMerge(project, request(tip))).toMatchObject({ status: "unfinished", story });
    project.write("src/a.txt", "my own words\n");
    expect(await apply(tip)).toMatchObject({ kind: "interrupted", files: ["src/a.txt"] });
    expect(read("src/a.txt")).toBe("my own words\n");
    project.git("checkout", "--", "src/a.txt");
    expect(await apply(tip)).toMatchObject({ status: "merged", to: tip });
    expect(status()).toBe("");
  });
});
