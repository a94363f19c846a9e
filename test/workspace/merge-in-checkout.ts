import { deepStrictEqual, ok } from "node:assert/strict";
import { spawnSync } from "node:child_process";
import { rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { takeSnapshot, userCheckout } from "../../src/workspace/snapshot.ts";
import { applyMerge, type MergeApplied, previewMerge, undoMerge } from "../../src/workspace/user-merge.ts";
import {
  type CheckoutState,
  commitStory,
  doAsUser,
  makeStash,
  resetCheckout,
  type Seen,
  seeCheckout,
  setOddModes,
} from "./checkout-states.ts";
import type { TemporaryRepository } from "./temporary-repository.ts";

const story = "US-STATE";

export type Ending = "merged" | "merged into edited files" | "refused" | "conflict" | "already-merged";

/**
 * Starts a story from one state of a user's checkout, merges it and undoes it, and throws if anything of the user's
 * is not what it must be.
 */
export async function mergeInCheckout(
  project: TemporaryRepository & { readonly base: string },
  state: CheckoutState,
): Promise<Ending> {
  const { base } = project;
  resetCheckout(project, base);
  if (state.hasStash) makeStash(project);
  if (state.hasOddModes) setOddModes(project);
  for (const deed of state.earlier) doAsUser(project, deed);
  const start = await snapshotUnseen(project);
  const tip = commitStory(project, start, state.story);
  if (state.commits) commitAside(project);
  for (const deed of state.later) doAsUser(project, deed);
  const before = seeCheckout(project);
  const head = project.git("rev-parse", "HEAD").trim();
  const way = state.way === undefined ? {} : { way: state.way };
  const preview = await previewMerge(project, { story, tip, ...way });
  deepStrictEqual(seeCheckout(project), before, "the preview changed something");
  const applied = await applyMerge(project, { story, tip, ...way, timeSeconds: 1_700_000_000 });
  if (applied.status !== "merged") {
    deepStrictEqual(
      seeCheckout(project),
      before,
      `a merge that ended as ${applied.status} changed something`,
    );
    return applied.status;
  }
  deepStrictEqual(preview.status, "ready");
  const isEdited = preview.status === "ready" && preview.edited.length > 0;
  checkMerged(project, { before, head, applied });
  const undone = await undoMerge(project, { story });
  deepStrictEqual(undone.status, "undone", JSON.stringify(undone));
  deepStrictEqual(seeCheckout(project), before, "undo");
  return isEdited ? "merged into edited files" : "merged";
}

async function snapshotUnseen(project: TemporaryRepository): Promise<string> {
  const before = seeCheckout(project);
  const { repository, stateDirectory } = project;
  const checkout = userCheckout(repository);
  const { commit } = await takeSnapshot({ repository, stateDirectory, id: story, checkout });
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

interface Merged {
  readonly before: Seen;
  readonly head: string;
  readonly applied: Extract<MergeApplied, { readonly status: "merged" }>;
}

/** The branch has the story; what is not touched by it is as before; what is has both changes. */
function checkMerged(project: TemporaryRepository, { before, head, applied }: Merged): void {
  const after = seeCheckout(project);
  deepStrictEqual(project.git("rev-parse", "HEAD").trim(), applied.to);
  ok(
    !project.git("log", "--format=%s", applied.to).includes("Uncommitted work"),
    "committed the user's work",
  );
  deepStrictEqual(after["the stash"], before["the stash"]);
  const touched = new Set(listChanged(project, head, applied.to));
  const isRenamed = [...touched].some((path) => before[path] === undefined);
  for (const [path, content] of Object.entries(before)) {
    if (path.startsWith("the ") || touched.has(path) || isRenamed) continue;
    deepStrictEqual(after[path], content, `${path} is not part of the story`);
  }
  for (const path of touched) checkLines(project, path, { before, after, head, to: applied.to });
}

function checkLines(
  project: TemporaryRepository,
  path: string,
  seen: { readonly before: Seen; readonly after: Seen; readonly head: string; readonly to: string },
): void {
  const [own, now] = [seen.before[path], seen.after[path]].map((entry) => entry?.replace(/^\d+ /, ""));
  const [old, made] = [seen.head, seen.to].map((commit) => showFile(project, commit, path));
  if (own === undefined || now === undefined || old === undefined || made === undefined) return;
  if (own.startsWith("link ") || now.startsWith("link ")) return;
  deepStrictEqual(now, mergeLines(project, { own, old, made }), `${path} has not both changes`);
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

function showFile(project: TemporaryRepository, commit: string, path: string): string | undefined {
  const { status, stdout } = spawnSync("git", ["cat-file", "blob", `${commit}:${path}`], {
    cwd: project.root,
    encoding: "latin1",
  });
  return status === 0 ? stdout : undefined;
}

function listChanged(project: TemporaryRepository, from: string, to: string): readonly string[] {
  return listPaths(project.git("diff", "--no-renames", "--name-only", "-z", from, to));
}

function listPaths(text: string): readonly string[] {
  return text.split("\0").filter((path) => path !== "");
}
