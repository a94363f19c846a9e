import { execFileSync } from "node:child_process";
import { chmodSync, existsSync, mkdirSync, readFileSync, rmSync, statSync } from "node:fs";
import { join, resolve } from "node:path";
import { isDeepStrictEqual } from "node:util";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { applyMerge, type MergeApplied, undoMerge } from "../../src/workspace/user-merge.ts";
import { bundleProgram } from "./kill-at-git-call.ts";
import { commitElsewhere, edit } from "./story-commit.ts";
import { makeRepository, type TemporaryRepository } from "./temporary-repository.ts";
import { userState } from "./user-state.ts";

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

describe("a folder whose only file the merge replaces", () => {
  it.each([
    ["by another file", { "src/deep/only.txt": null, "src/deep/other.txt": "other\n" }],
    ["by a folder", { "src/deep/only.txt": null, "src/deep/only.txt/inside.txt": "inside\n" }],
  ])("keeps its permissions, also when the merge is undone: %s", async (_, change) => {
    const folder = join(project.root, "src/deep");
    chmodSync(folder, 0o700);
    const see = (): number => statSync(folder).mode & 0o777;
    expect(await apply(storyCommit(edit(change)))).toMatchObject({ status: "merged" });
    expect(see()).toBe(0o700);
    expect(await undo()).toMatchObject({ status: "undone" });
    expect(see()).toBe(0o700);
  });
});

describe("folders in which the user may not write", () => {
  const NOBODY = 65_534;

  /** Nothing is closed to root, so another user merges, who owns the project and can read the program. */
  async function mergeAsOrdinaryUser(tip: string): Promise<unknown> {
    const folder = join(project.root, "..");
    const program = await bundleProgram("test/workspace/merge-one.ts");
    project.git("config", "--global", "safe.directory", "*");
    const isRoot = process.getuid?.() === 0;
    if (isRoot) execFileSync("chown", ["-R", `${NOBODY}:${NOBODY}`, folder]);
    const words = [resolve(program), project.root, project.home, project.stateDirectory, story, tip];
    const user = isRoot ? { uid: NOBODY, gid: NOBODY } : {};
    const before = userState(project);
    const answer: unknown = JSON.parse(
      execFileSync(process.execPath, words, { ...user, cwd: folder, encoding: "utf8" }),
    );
    rmSync(program);
    return { answer, isUntouched: isDeepStrictEqual(userState(project), before) };
  }

  it.each([
    ["a new file", "closed", (path: string) => edit({ "closed/deep/new.txt": "new\n" })(path)],
    ["a changed file", "src", (path: string) => edit({ "src/a.txt": "story\n" })(path)],
    ["a removed file", "src", (path: string) => rmSync(join(path, "src/b.txt"))],
  ])("are named before anything changes: %s", async (_, name, change) => {
    const tip = storyCommit(change);
    mkdirSync(join(project.root, name), { recursive: true });
    chmodSync(join(project.root, name), 0o555);
    expect(await mergeAsOrdinaryUser(tip)).toMatchObject({
      answer: { status: "refused", kind: "folders-locked", files: [name] },
      isUntouched: true,
    });
    chmodSync(join(project.root, name), 0o755);
    expect(await mergeAsOrdinaryUser(tip)).toMatchObject({ answer: { status: "merged" } });
  });
});
