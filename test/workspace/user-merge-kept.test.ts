import { chmodSync, existsSync, mkdirSync, readFileSync, rmSync, statSync } from "node:fs";
import { join } from "node:path";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { applyMerge, type MergeApplied, undoMerge } from "../../src/workspace/user-merge.ts";
import { commitElsewhere, edit } from "./story-commit.ts";
import { makeRepository, type TemporaryRepository } from "./temporary-repository.ts";

const story = "US-011";
let project: TemporaryRepository;

beforeEach(async () => {
  project = await makeRepository({
    "src/a.txt": "a\n",
    "src/b.txt": "b\n",
    "src/deep/only.txt": "only\n",
    "run.sh": "echo\n",
  });
});

afterEach(() => project.remove());

const storyCommit = (change: (path: string) => void): string =>
  commitElsewhere(project, change, project.git("rev-parse", "HEAD").trim());
const apply = (tip: string): Promise<MergeApplied> => applyMerge(project, { story, tip });
const undo = (): ReturnType<typeof undoMerge> => undoMerge(project, { story });

describe("what git does not keep of a checkout, a merge and its undo keep:", () => {
  it("flags of index entries that the merge changes or removes", async () => {
    project.git("update-index", "--assume-unchanged", "src/a.txt", "src/b.txt");
    project.git("update-index", "--skip-worktree", "run.sh", "src/b.txt", "src/deep/only.txt");
    const flags = (): string => project.git("ls-files", "-v");
    const before = [flags(), project.git("ls-files", "--stage")];
    const gone = ["src/b.txt", "src/deep/only.txt"];
    const tip = storyCommit((path) => {
      edit({ "src/a.txt": "story\n", "run.sh": "story\n" })(path);
      for (const name of gone) rmSync(join(path, name));
    });
    expect(await apply(tip)).toMatchObject({ status: "merged" });
    expect(flags()).toBe("S run.sh\nh src/a.txt\n");
    expect(await undo()).toMatchObject({ status: "undone" });
    expect([flags(), project.git("ls-files", "--stage")]).toStrictEqual(before);
  });

  it("folders that held no file, and the permissions of those that the merge removes", async () => {
    const folders = ["logs", "logs/old", "empty", "empty/deep", "src", "src/deep"];
    const see = (): unknown =>
      folders.map((name) => {
        const stats = statSync(join(project.root, name), { throwIfNoEntry: false });
        return [name, stats?.isDirectory() === true ? stats.mode & 0o7777 : "no folder"];
      });
    for (const name of ["logs/old", "empty/deep"])
      mkdirSync(join(project.root, name), { recursive: true, mode: 0o750 });
    chmodSync(join(project.root, "src/deep"), 0o700);
    chmodSync(join(project.root, "logs"), 0o1777);
    const before = see();
    const tip = storyCommit((path) => {
      edit({ "logs/old/.keep": "", empty: "a file now\n" })(path);
      rmSync(join(path, "src/deep/only.txt"));
    });
    expect(await apply(tip)).toMatchObject({ status: "merged" });
    expect([
      existsSync(join(project.root, "src/deep")),
      readFileSync(join(project.root, "empty"), "utf8"),
    ]).toStrictEqual([false, "a file now\n"]);
    expect(await undo()).toMatchObject({ status: "undone" });
    expect(see()).toStrictEqual(before);
    expect(project.git("status", "--porcelain")).toBe("");
  });
});
