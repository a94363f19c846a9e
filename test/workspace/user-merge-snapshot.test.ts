import { chmodSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { takeSnapshot, userCheckout } from "../../src/workspace/snapshot.ts";
import { applyMerge, type MergeApplied, previewMerge, undoMerge } from "../../src/workspace/user-merge.ts";
import { commitElsewhere, edit, readContentState } from "./story-commit.ts";
import { makeRepository, type TemporaryRepository } from "./temporary-repository.ts";

const story = "US-010";
let project: TemporaryRepository;
let base: string;

beforeEach(async () => {
  project = await makeRepository({
    "src/a.txt": "a\n",
    "src/b.txt": "b\n",
    "src/deep/only.txt": "only\n",
    "other.txt": "other\n",
    "run.sh": "echo\n",
  });
  base = head();
});

afterEach(() => project.remove());

const head = (ref = "HEAD"): string => project.git("rev-parse", ref).trim();
const status = (): string => project.git("status", "--porcelain", "--untracked-files=all");
const read = (path: string): string => readFileSync(join(project.root, path), "utf8");
const contentState = (): ReturnType<typeof readContentState> => readContentState(project);
const request = (tip: string): { readonly story: string; readonly tip: string } => ({ story, tip });
const apply = (tip: string): Promise<MergeApplied> =>
  applyMerge(project, { story, tip, timeSeconds: 1_700_000_000 });
const undo = (): ReturnType<typeof undoMerge> => undoMerge(project, { story });
const storyCommit = (change: (path: string) => void, parent: string): string =>
  commitElsewhere(project, change, parent);

describe("a story that started from uncommitted work", () => {
  const startStory = async (id = story): Promise<string> => {
    const { repository, stateDirectory } = project;
    const snapshot = await takeSnapshot({
      repository,
      stateDirectory,
      id,
      checkout: userCheckout(repository),
    });
    expect(snapshot.hasUncommittedWork).toBe(true);
    return snapshot.commit;
  };

  beforeEach(() => {
    writeFileSync(join(project.root, "other.txt"), "other\nmine, staged\n");
    project.git("add", "other.txt");
    writeFileSync(join(project.root, "src/b.txt"), "b\nmine, not staged\n");
    writeFileSync(join(project.root, "draft.txt"), "mine, untracked\n");
    chmodSync(join(project.root, "run.sh"), 0o755);
    project.git("mv", "src/deep/only.txt", "src/deep/renamed.txt");
  });

  it("merges only its own changes and leaves the user's uncommitted work as it is", async () => {
    const tip = storyCommit(edit({ "src/a.txt": "a\nstory\n", "new.txt": "new\n" }), await startStory());
    const before = status();
    const preview = await previewMerge(project, request(tip));
    expect(preview).toMatchObject({ diff: { files: [{ path: "new.txt" }, { path: "src/a.txt" }] } });
    const applied = await apply(tip);
    expect(applied).toMatchObject({ status: "merged", way: "squash" });
    expect(status()).toBe(before);
    expect(project.git("log", "--format=%s", "main")).not.toContain("Uncommitted work");
    expect(project.git("show", "--format=", "--name-only", "main").trim()).toBe("new.txt\nsrc/a.txt");
    expect(await apply(tip)).toMatchObject({ status: "already-merged" });
  });

  it("is undone without touching branch, index or files of the user", async () => {
    const tip = storyCommit(edit({ "src/a.txt": "a\nstory\n", "new.txt": "new\n" }), await startStory());
    const before = contentState();
    await apply(tip);
    expect(await undo()).toMatchObject({ status: "undone", to: base });
    expect(contentState()).toStrictEqual(before);
    expect(head("main")).toBe(base);
  });

  it("is refused with the files named if it changed lines that the user has not committed", async () => {
    const tip = storyCommit(edit({ "src/b.txt": "b\nstory\n" }), await startStory());
    const before = contentState();
    expect(await apply(tip)).toMatchObject({ status: "conflict", files: ["src/b.txt"] });
    expect(contentState()).toStrictEqual(before);
    project.git("commit", "-qam", "Mine");
    expect(await apply(tip)).toMatchObject({ status: "merged" });
    expect(read("src/b.txt")).toBe("b\nstory\n");
  });

  it("merges a later part of the same story on top of the first", async () => {
    const first = storyCommit(edit({ "src/a.txt": "a\nfirst\n" }), await startStory());
    await apply(first);
    const second = storyCommit(edit({ "src/a.txt": "a\nsecond\n" }), first);
    expect(await apply(second)).toMatchObject({ status: "merged", way: "squash" });
    expect(read("src/a.txt")).toBe("a\nsecond\n");
    expect(await undo()).toMatchObject({ status: "undone" });
    expect(await undo()).toMatchObject({ status: "undone", to: base });
    expect(read("draft.txt")).toBe("mine, untracked\n");
  });

  it("merges only its own changes although the clock was set back after all commits of the user", async () => {
    const snapshot = await startStory();
    const changed = storyCommit(edit({ "new.txt": "new\n" }), snapshot);
    const tree = project.git("rev-parse", `${changed}^{tree}`).trim();
    let tip = snapshot;
    for (let seconds = 1_000_000_000; seconds < 1_000_000_020; seconds += 1) {
      const person = `W <w@example.org> ${seconds} +0000`;
      const lines = [`tree ${tree}`, `parent ${tip}`, `author ${person}`, `committer ${person}`, "", "Work"];
      project.write("commit", `${lines.join("\n")}\n`);
      tip = project.git("hash-object", "-t", "commit", "-w", "commit").trim();
    }
    rmSync(join(project.root, "commit"));
    const before = status();
    expect(await apply(tip)).toMatchObject({ status: "merged", way: "squash" });
    expect(status()).toBe(before);
    expect(project.git("show", "--format=", "--name-only", "main").trim()).toBe("new.txt");
  });

  it("treats the newest of several snapshots as the user's own work", async () => {
    const first = await startStory();
    writeFileSync(join(project.root, "draft.txt"), "mine, edited again\n");
    const second = await startStory();
    // As a manager from outside the runtime delegates twice: the second state follows the first.
    const message = ["-m", "What the person saw"];
    const seen = project.git("commit-tree", "-p", first, "-p", second, ...message, `${second}^{tree}`).trim();
    const tip = storyCommit(edit({ "new.txt": "new\n" }), seen);
    const before = status();
    await apply(tip);
    expect(project.git("show", "--format=", "--name-only", "main").trim()).toBe("new.txt");
    expect(status()).toBe(before);
  });
});
