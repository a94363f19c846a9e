import { execFileSync } from "node:child_process";
import {
  chmodSync,
  cpSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  realpathSync,
  renameSync,
  rmSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { findProjectRoot } from "../../src/project/find-project.ts";
import {
  adoptState,
  checkState,
  getStateDirectory,
  guardPlace,
  openOwnState,
  requireOwnState,
} from "../../src/project/state-directory.ts";
import {
  chooseTrees,
  removeIdleTrees,
  getTreesDirectory,
  settleTrees,
} from "../../src/project/trees-directory.ts";

let folder: string;
let root: string;

beforeEach(() => {
  folder = realpathSync(mkdtempSync(join(tmpdir(), "ambit-state-")));
  root = join(folder, "project");
  git(folder, "init", "-q", root);
});

afterEach(() => {
  rmSync(folder, { recursive: true, force: true });
});

function git(directory: string, ...words: string[]): void {
  execFileSync("git", words, { cwd: directory, stdio: "pipe", env: { ...process.env, HOME: folder } });
}

function openWithJournal(project: string): string {
  openOwnState(project);
  const state = getStateDirectory(project);
  writeFileSync(join(state, "ambit.db"), "journal");
  return state;
}

describe("the state folder", () => {
  it("is in the git folder that all worktrees share", () => {
    expect(getStateDirectory(root)).toBe(join(root, ".git", "ambit"));
    git(folder, "init", "-q", "--bare", "bare.git");
    expect(getStateDirectory(join(folder, "bare.git"))).toBe(join(folder, "bare.git", "ambit"));
  });

  it("is made closed to other users, and closed again when it was opened to them", () => {
    const state = openWithJournal(root);
    chmodSync(state, 0o755);
    chmodSync(join(state, "ambit.db"), 0o644);
    openOwnState(root);
    expect(statSync(state).mode % 0o1000).toBe(0o700);
    expect(statSync(join(state, "ambit.db")).mode % 0o1000).toBe(0o600);
  });

  it("is still accepted after the project was moved", () => {
    openWithJournal(root);
    renameSync(root, join(folder, "moved"));
    expect(checkState(getStateDirectory(join(folder, "moved")))).toStrictEqual({ kind: "ours" });
  });

  it("is refused if it is a link, contains a link, or lacks the record of its place", () => {
    const state = openWithJournal(root);
    symlinkSync("/etc", join(state, "shims"));
    expect(() => requireOwnState(root)).toThrow(/"shims" in it is a link/u);
    expect(() => openOwnState(root)).toThrow(expect.objectContaining({ code: "STATE_NOT_OURS" }));
    rmSync(join(state, "shims"));
    rmSync(join(state, "place.json"));
    for (const open of [requireOwnState, openOwnState])
      expect(() => open(root)).toThrow(/no readable place\.json/u);
    renameSync(state, join(folder, "elsewhere"));
    symlinkSync(join(folder, "elsewhere"), state);
    expect(() => requireOwnState(root)).toThrow(/it is not a folder/u);
  });

  it("is put aside in a copy of the repository while the original exists", () => {
    openWithJournal(root);
    const copy = join(folder, "copy");
    cpSync(root, copy, { recursive: true });
    expect(() => requireOwnState(copy)).toThrow(/was copied from .*project/u);
    const { putAside } = openOwnState(copy);
    expect(existsSync(join(putAside ?? "", "ambit.db"))).toBe(true);
    expect(existsSync(join(getStateDirectory(copy), "ambit.db"))).toBe(false);
    expect(checkState(getStateDirectory(root))).toStrictEqual({ kind: "ours" });
  });

  it("waits for a person's decision in a copy whose original is gone", () => {
    openWithJournal(root);
    const copy = join(folder, "copy");
    cpSync(root, copy, { recursive: true });
    rmSync(root, { recursive: true });
    expect(() => openOwnState(copy)).toThrow(/clean --foreign-state adopt|was copied from/u);
    adoptState(getStateDirectory(copy));
    expect(() => openOwnState(copy)).not.toThrow();
    expect(existsSync(join(getStateDirectory(copy), "ambit.db"))).toBe(true);
  });

  it("is continued without the note of its place once a person says that it was not copied", () => {
    const state = openWithJournal(root);
    rmSync(join(state, "place.json"));
    expect(() => openOwnState(root)).toThrow(
      expect.objectContaining({ recommendation: expect.stringContaining("clean --foreign-state adopt") }),
    );
    adoptState(state);
    expect(checkState(state)).toStrictEqual({ kind: "ours" });
    expect(existsSync(join(state, "ambit.db"))).toBe(true);
  });

  it("gets the note of its place back from its owner, but not if another folder replaced it", () => {
    const state = openWithJournal(root);
    const note = readFileSync(join(state, "place.json"), "utf8");
    const guard = guardPlace(state);
    for (const damage of [
      (): void => rmSync(join(state, "place.json")),
      (): void => writeFileSync(join(state, "place.json"), "{"),
    ]) {
      damage();
      guard();
      expect(readFileSync(join(state, "place.json"), "utf8")).toBe(note);
    }
    rmSync(join(state, "place.json"));
    cpSync(state, `${state}.copy`, { recursive: true });
    renameSync(state, `${state}.old`);
    renameSync(`${state}.copy`, state);
    guard();
    expect(checkState(state)).toStrictEqual({ kind: "unplaced" });
    rmSync(state, { recursive: true });
    guard();
    expect(existsSync(state)).toBe(false);
  });

  it("is not taken from a folder of a clone that looks like a bare repository", () => {
    const planted = join(root, "planted");
    git(folder, "init", "-q", "--bare", planted);
    mkdirSync(join(planted, "ambit"));
    expect(findProjectRoot(planted)).toBe(root);
  });
});

describe("the folder of the workspaces", () => {
  it("is next to the project, and is removed when it is empty", () => {
    openOwnState(root);
    const stateDirectory = getStateDirectory(root);
    const trees = settleTrees({ projectRoot: root, stateDirectory, wanted: null });
    expect(trees).toBe(join(folder, "project.worktrees", "ambit"));
    expect(getTreesDirectory(stateDirectory)).toBe(trees);
    removeIdleTrees(stateDirectory);
    expect(existsSync(join(folder, "project.worktrees"))).toBe(false);
  });

  it("stays complete while a workspace is recorded", () => {
    openOwnState(root);
    const stateDirectory = getStateDirectory(root);
    const trees = settleTrees({ projectRoot: root, stateDirectory, wanted: null });
    for (const name of ["workspaces", "git", "workspace-records/one"])
      mkdirSync(join(trees, name), { recursive: true });
    removeIdleTrees(stateDirectory);
    expect(readdirSync(trees).toSorted()).toStrictEqual(["git", "workspace-records", "workspaces"]);
  });

  it("leaves other worktrees next to the project alone", () => {
    openOwnState(root);
    const stateDirectory = getStateDirectory(root);
    mkdirSync(join(folder, "project.worktrees", "of-an-editor"), { recursive: true });
    settleTrees({ projectRoot: root, stateDirectory, wanted: null });
    removeIdleTrees(stateDirectory);
    expect(existsSync(join(folder, "project.worktrees", "of-an-editor"))).toBe(true);
  });

  it("is not inside another repository, nor in a hidden path", () => {
    const inner = join(root, "inner");
    git(folder, "init", "-q", inner);
    expect(chooseTrees(inner)).not.toContain(root);
    const hidden = join(folder, ".config", "editor");
    mkdirSync(hidden, { recursive: true });
    expect(
      chooseTrees(hidden)
        .split("/")
        .some((part) => part.startsWith(".")),
    ).toBe(false);
  });

  it("can be set, and stays where open workspaces are", () => {
    openOwnState(root);
    const stateDirectory = getStateDirectory(root);
    const first = settleTrees({ projectRoot: root, stateDirectory, wanted: "../first" });
    expect(first.startsWith(join(folder, "first", "project-"))).toBe(true);
    mkdirSync(join(first, "workspace-records", "slot-1"), { recursive: true });
    expect(settleTrees({ projectRoot: root, stateDirectory, wanted: null })).toBe(first);
    rmSync(join(first, "workspace-records"), { recursive: true });
    expect(settleTrees({ projectRoot: root, stateDirectory, wanted: null })).toBe(
      join(folder, "project.worktrees", "ambit"),
    );
  });
});
