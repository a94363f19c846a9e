import { chmodSync, readFileSync, rmSync, statSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { takeSnapshot, userCheckout } from "../../src/workspace/snapshot.ts";
import { applyMerge, type MergeApplied, previewMerge, undoMerge } from "../../src/workspace/user-merge.ts";
import { bundleProgram, runAndKill } from "./kill-at-git-call.ts";
import { commitElsewhere, edit, readContentState } from "./story-commit.ts";
import { makeRepository, type TemporaryRepository } from "./temporary-repository.ts";
import { userState } from "./user-state.ts";

const story = "US-010";
const lines = (changed: Readonly<Record<number, string>> = {}): string =>
  Array.from({ length: 12 }, (_, at) => `${changed[at] ?? `line ${String(at)}`}\n`).join("");
let project: TemporaryRepository;
let base: string;

beforeEach(async () => {
  project = await makeRepository({ "a.txt": lines(), "b.txt": "b\n" });
  base = project.git("rev-parse", "HEAD").trim();
});

afterEach(() => project.remove());

const status = (): string => project.git("status", "--porcelain", "--untracked-files=all");
const read = (path: string): string => readFileSync(join(project.root, path), "utf8");
const storyCommit = (files: Readonly<Record<string, string | null>>, parent = base): string =>
  commitElsewhere(project, edit(files), parent);
const apply = (tip: string): Promise<MergeApplied> =>
  applyMerge(project, { story, tip, timeSeconds: 1_700_000_000 });
const undo = (): ReturnType<typeof undoMerge> => undoMerge(project, { story });

/** Where the user's edits are, and what `git status` says of them. */
const kinds: readonly (readonly [string, string, () => void])[] = [
  ["not staged", " M a.txt\n", () => project.write("a.txt", lines({ 10: "mine" }))],
  [
    "staged",
    "M  a.txt\n",
    () => {
      project.write("a.txt", lines({ 10: "mine" }));
      project.git("add", "a.txt");
    },
  ],
  [
    "staged and then changed again",
    "MM a.txt\n",
    () => {
      project.write("a.txt", lines({ 10: "staged" }));
      project.git("add", "a.txt");
      project.write("a.txt", lines({ 10: "mine" }));
    },
  ],
];

describe("uncommitted edits in a file that the story changes too", () => {
  it.each(kinds)("are kept and stay as they are: %s", async (_, expected, prepare) => {
    const tip = storyCommit({ "a.txt": lines({ 2: "story" }), "new.txt": "new\n" });
    prepare();
    const before = readContentState(project);
    const preview = await previewMerge(project, { story, tip });
    expect(preview).toMatchObject({ status: "ready", edited: ["a.txt"] });
    expect(readContentState(project)).toStrictEqual(before);
    expect(await apply(tip)).toMatchObject({ status: "merged" });
    expect(status()).toBe(expected);
    expect(read("a.txt")).toBe(lines({ 2: "story", 10: "mine" }));
    expect(project.git("show", "HEAD:a.txt")).toBe(lines({ 2: "story" }));
    expect(await undo()).toMatchObject({ status: "undone", to: base });
    expect(readContentState(project)).toStrictEqual(before);
  });

  it.each(kinds)("are kept by a story that started from them: %s", async (_, expected, prepare) => {
    prepare();
    const { repository, stateDirectory } = project;
    const checkout = userCheckout(repository);
    const taken = await takeSnapshot({ repository, stateDirectory, id: story, checkout });
    const tip = storyCommit({ "a.txt": lines({ 2: "story", 10: "mine" }) }, taken.commit);
    const before = readContentState(project);
    expect(await apply(tip)).toMatchObject({ status: "merged", way: "squash" });
    expect([status(), read("a.txt")]).toStrictEqual([expected, lines({ 2: "story", 10: "mine" })]);
    expect(project.git("show", "HEAD:a.txt")).toBe(lines({ 2: "story" }));
    await undo();
    expect(readContentState(project)).toStrictEqual(before);
  });

  it("prevent the merge if both change the same lines, and are named", async () => {
    const tip = storyCommit({ "a.txt": lines({ 2: "story" }), "new.txt": "new\n" });
    project.write("a.txt", lines({ 2: "mine" }));
    const before = userState(project);
    expect(await apply(tip)).toMatchObject({ kind: "files-in-the-way", files: ["a.txt"] });
    expect(userState(project)).toStrictEqual(before);
  });

  it("follow a file that the user has renamed", async () => {
    const tip = storyCommit({ "a.txt": lines({ 2: "story" }) });
    project.git("mv", "a.txt", "renamed.txt");
    const before = readContentState(project);
    expect(await apply(tip)).toMatchObject({ status: "merged" });
    expect([status(), read("renamed.txt")]).toStrictEqual([
      "R  a.txt -> renamed.txt\n",
      lines({ 2: "story" }),
    ]);
    await undo();
    expect(readContentState(project)).toStrictEqual(before);
  });

  it("keep a changed mode and the permissions of the file", async () => {
    const tip = storyCommit({ "a.txt": lines({ 2: "story" }) });
    chmodSync(join(project.root, "a.txt"), 0o700);
    const before = readContentState(project);
    expect(await apply(tip)).toMatchObject({ status: "merged" });
    expect(statSync(join(project.root, "a.txt")).mode & 0o777).toBe(0o700);
    expect([status(), read("a.txt")]).toStrictEqual([" M a.txt\n", lines({ 2: "story" })]);
    await undo();
    expect(readContentState(project)).toStrictEqual(before);
  });

  it("prevent the merge if git would not write the file again byte for byte", async () => {
    project.git("config", "core.autocrlf", "true");
    const tip = storyCommit({ "a.txt": lines({ 2: "story" }) });
    project.write("a.txt", lines({ 10: "mine" }).replace("line 5\n", "line 5\r\n"));
    const before = userState(project);
    expect(await apply(tip)).toMatchObject({ kind: "files-in-the-way", files: ["a.txt"] });
    expect(userState(project)).toStrictEqual(before);
  });

  it("prevent an undo if they were made since the merge", async () => {
    const tip = storyCommit({ "a.txt": lines({ 2: "story" }) });
    project.write("a.txt", lines({ 10: "mine" }));
    await apply(tip);
    writeFileSync(join(project.root, "a.txt"), lines({ 2: "story", 10: "mine", 6: "later" }));
    const before = userState(project);
    expect(await undo()).toMatchObject({ kind: "files-in-the-way", files: ["a.txt"] });
    expect(userState(project)).toStrictEqual(before);
  });

  it("are kept by a merge that is killed at any moment and repeated", { timeout: 300_000 }, async () => {
    const tip = storyCommit({ "a.txt": lines({ 2: "story" }), "b.txt": null, "new.txt": "new\n" });
    project.write("a.txt", lines({ 10: "mine" }));
    const before = readContentState(project);
    await apply(tip);
    const after = readContentState(project);
    await undo();
    const program = await bundleProgram("test/workspace/merge-one.ts");
    const { root, home, stateDirectory } = project;
    try {
      for (let at = 12, isOver = false; !isOver; at += 7) {
        const words = [root, home, stateDirectory, story, tip];
        isOver = !(await runAndKill({
          folder: join(root, "..", "bin"),
          program,
          words,
          at,
          after: at % 2 === 0,
        }));
        expect(["merged", "already-merged"]).toContain((await apply(tip)).status);
        expect(readContentState(project)).toStrictEqual(after);
        await undo();
        expect(readContentState(project)).toStrictEqual(before);
      }
    } finally {
      rmSync(program);
    }
  });
});
