import { deepStrictEqual, ok } from "node:assert/strict";
import { spawnSync } from "node:child_process";
import { rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { takeSnapshot, userCheckout } from "../../src/workspace/snapshot.ts";
import { type ApplyRequest, applyMerge, previewMerge, undoMerge } from "../../src/workspace/user-merge.ts";
import {
  type CheckoutPlace,
  convertLineEnds,
  putStash,
  resetCheckout,
  type Seen,
  seeCheckout,
  setOddModes,
} from "./checkout-place.ts";
import { type CheckoutState, commitStory, doAsUser } from "./checkout-states.ts";
import type { TemporaryRepository } from "./temporary-repository.ts";

/** The story of every state that is merged by calls. */
export const STORY = "US-STATE";

export type Ending =
  | "merged"
  | "merged into edited files"
  | "refused"
  | "conflict"
  | "already-merged"
  | "no work";

export interface MergeEnd {
  readonly status: "merged" | "refused" | "conflict" | "already-merged";
  readonly isEdited: boolean;
}

/** A story that has ended: how it is merged, and how the merge is undone. */
export interface Merging {
  readonly merge: () => Promise<MergeEnd>;
  /** Throws if it cannot be undone. */
  readonly undo: () => Promise<void>;
}

/** Runs a story from the checkout as it is; undefined if it left no work to merge. */
export type RunStory = (project: CheckoutPlace, state: CheckoutState) => Promise<Merging | undefined>;

export interface MergeOptions {
  readonly runStory?: RunStory;
  /** Our own refs and branches stay; for stories that a journal knows. */
  readonly keepsOurs?: boolean;
}

/**
 * Starts a story from one state of a user's checkout, merges it and undoes it, and throws if anything of the user's
 * is not what it must be.
 */
export async function mergeInCheckout(
  project: CheckoutPlace,
  state: CheckoutState,
  { runStory = runByCalls, keepsOurs = false }: MergeOptions = {},
): Promise<Ending> {
  resetCheckout(project, { keepsOurs });
  if (state.hasStash) putStash(project);
  if (state.hasOddModes) setOddModes(project);
  if (state.convertsLineEnds) convertLineEnds(project);
  for (const deed of state.earlier) doAsUser(project, deed);
  const started = seeCheckout(project);
  const merging = await runStory(project, state);
  deepStrictEqual(seeCheckout(project), started, "the run changed something");
  if (merging === undefined) return "no work";
  if (state.commits) commitAside(project);
  for (const deed of state.later) doAsUser(project, deed);
  const before = seeCheckout(project);
  const head = readHead(project);
  const { status, isEdited } = await merging.merge();
  if (status !== "merged") {
    deepStrictEqual(seeCheckout(project), before, `a merge that ended as ${status} changed something`);
    return status;
  }
  checkMerged(project, { before, head });
  await merging.undo();
  deepStrictEqual(seeCheckout(project), before, "undo");
  return isEdited ? "merged into edited files" : "merged";
}

const runByCalls: RunStory = async (project, state) => {
  const request = await makeRequest(project, state);
  return {
    merge: async () => {
      const { isEdited, isReady } = await previewUnseen(project, request);
      const { status } = await applyMerge(project, request);
      if (status === "merged") ok(isReady, "the preview said that it cannot be merged");
      return { status, isEdited };
    },
    undo: async () => {
      const undone = await undoMerge(project, { story: STORY });
      deepStrictEqual(undone.status, "undone", JSON.stringify(undone));
    },
  };
};

/** The work of a story that started from the checkout as it is. */
export async function makeRequest(project: CheckoutPlace, state: CheckoutState): Promise<ApplyRequest> {
  const start = await snapshotUnseen(project);
  const tip = commitStory(project, start, state.story);
  const way = state.way === undefined ? {} : { way: state.way };
  return { story: STORY, tip, ...way, timeSeconds: 1_700_000_000 };
}

async function previewUnseen(
  project: CheckoutPlace,
  request: ApplyRequest,
): Promise<{ readonly isReady: boolean; readonly isEdited: boolean }> {
  const before = seeCheckout(project);
  const preview = await previewMerge(project, request);
  deepStrictEqual(seeCheckout(project), before, "the preview changed something");
  const isReady = preview.status === "ready";
  return { isReady, isEdited: isReady && preview.edited.length > 0 };
}

export function readHead(project: TemporaryRepository): string {
  return project.git("rev-parse", "HEAD").trim();
}

async function snapshotUnseen(project: CheckoutPlace): Promise<string> {
  const before = seeCheckout(project);
  const { repository, stateDirectory } = project;
  const checkout = userCheckout(repository);
  const { commit } = await takeSnapshot({ repository, stateDirectory, id: STORY, checkout });
  deepStrictEqual(seeCheckout(project), before, "the snapshot changed something");
  const taken = project.git("diff", "--name-only", "--diff-filter=A", "HEAD", commit).split("\n");
  const staged = project.git("ls-files").split("\n");
  for (const name of [".env", "key.pem"])
    ok(!taken.includes(name) || staged.includes(name), `${name} was taken although it is untracked`);
  return commit;
}

/** A commit of the user's on the same branch, in a file that nothing else touches. */
function commitAside(project: TemporaryRepository): void {
  const blob = spawnSync("git", ["hash-object", "-w", "--stdin"], { cwd: project.root, input: "aside\n" });
  const index = join(project.root, "..", "aside-index");
  const git = (...words: string[]): string => {
    const { stdout, status, stderr } = spawnSync("git", words, {
      cwd: project.root,
      encoding: "utf8",
      env: { PATH: process.env["PATH"] ?? "", HOME: project.home, GIT_INDEX_FILE: index },
    });
    if (status !== 0) throw new Error(stderr);
    return stdout.trim();
  };
  git("read-tree", "HEAD");
  git("update-index", "--add", "--cacheinfo", `100644,${blob.stdout.toString().trim()},aside.txt`);
  git("update-ref", "HEAD", git("commit-tree", "-p", "HEAD", "-m", "Aside", git("write-tree")));
  rmSync(index);
  project.git("update-index", "--add", "--cacheinfo", `100644,${blob.stdout.toString().trim()},aside.txt`);
  writeFileSync(join(project.root, "aside.txt"), "aside\n");
}

interface Before {
  readonly before: Seen;
  readonly head: string;
}

/** The branch has the story; what is not touched by it is as before; what is has both changes. */
function checkMerged(project: CheckoutPlace, { before, head }: Before): void {
  const after = seeCheckout(project);
  const to = readHead(project);
  ok(to !== head, "the branch has not moved");
  ok(
    !project.git("log", "--format=%s", `${project.base}..${to}`).includes("Uncommitted work"),
    "committed the user's work",
  );
  deepStrictEqual(after["the stash"], before["the stash"]);
  const touched = listChanged(project, head, to);
  const isTouched = new Set(touched);
  const isRenamed = touched.some((path) => before[path] === undefined);
  for (const [path, content] of Object.entries(before)) {
    if (path.startsWith("the ") || isTouched.has(path) || isRenamed || isAround(path, touched)) continue;
    deepStrictEqual(after[path], content, `${path} is not part of the story`);
  }
  const [old, made] = [head, to].map((commit) => readFiles(project, commit, touched));
  for (const [at, path] of touched.entries()) {
    const lines = { old: old?.[at], made: made?.[at], own: before[path], now: after[path] };
    checkLines(project, path, lines);
  }
}

/** A folder that some of the files are in, or that one of them replaced, may come or go with them. */
function isAround(path: string, files: readonly string[]): boolean {
  return path.endsWith("/") && files.some((file) => file.startsWith(path) || path.startsWith(`${file}/`));
}

/** One file: in both commits, and in the checkout before and after the merge. */
interface FileVersions {
  readonly old: string | undefined;
  readonly made: string | undefined;
  readonly own: string | undefined;
  readonly now: string | undefined;
}

function checkLines(project: CheckoutPlace, path: string, versions: FileVersions): void {
  const { old, made } = versions;
  const [own, now] = [versions.own, versions.now].map((entry) => entry?.replace(/^\d+ /, ""));
  if (own === undefined || now === undefined || old === undefined || made === undefined) return;
  if (own.startsWith("link ") || now.startsWith("link ")) return;
  deepStrictEqual(
    withoutReturns(now),
    withoutReturns(mergeLines(project, { own, old, made })),
    `${path} has not both changes`,
  );
}

/** Git may write a file that the story touched with CRLF. */
function withoutReturns(content: string): string {
  return content.includes("\0") ? content : content.replaceAll("\r\n", "\n");
}

function mergeLines(
  project: TemporaryRepository,
  { own, old, made }: { readonly own: string; readonly old: string; readonly made: string },
): string {
  if (own === old || own === made) return made;
  if (old === made) return own;
  const paths = [own, old, made].map((content, at) => {
    const path = join(project.root, "..", `lines-${String(at)}`);
    writeFileSync(path, content, "latin1");
    return path;
  });
  return spawnSync("git", ["merge-file", "-p", ...paths], { encoding: "latin1" }).stdout;
}

/** The files of a commit as latin1; undefined for one that it does not have as a file. */
function readFiles(
  project: TemporaryRepository,
  commit: string,
  paths: readonly string[],
): readonly (string | undefined)[] {
  const input = paths.map((path) => `${commit}:${path}\n`).join("");
  const { stdout } = spawnSync("git", ["cat-file", "--batch"], {
    cwd: project.root,
    input,
    encoding: "latin1",
  });
  let rest = stdout;
  return paths.map(() => {
    const [line = "", kind, size] = /^\S+ (\w+)(?: (\d+))?\n/.exec(rest) ?? /^[^\n]*\n/.exec(rest) ?? [];
    const length = Number(size ?? "0");
    const content = rest.slice(line.length, line.length + length);
    rest = rest.slice(line.length + length + (size === undefined ? 0 : 1));
    return kind === "blob" ? content : undefined;
  });
}

function listChanged(project: TemporaryRepository, from: string, to: string): readonly string[] {
  return listPaths(project.git("diff", "--no-renames", "--name-only", "-z", from, to));
}

function listPaths(text: string): readonly string[] {
  return text.split("\0").filter((path) => path !== "");
}
