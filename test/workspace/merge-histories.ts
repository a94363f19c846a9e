import { execFileSync } from "node:child_process";
import { existsSync, rmSync } from "node:fs";
import { join } from "node:path";
import fc from "fast-check";
import { recordParents } from "../../src/workspace/git/ancestry.ts";
import { commitCandidate, mergeTips } from "../../src/workspace/merge.ts";
import type { TemporaryRepository } from "./temporary-repository.ts";

/** One thing done to the files of a branch. Numbers choose among what is there. */
export type Edit =
  | { readonly kind: "line"; readonly file: number; readonly line: number; readonly text: number }
  | { readonly kind: "add"; readonly place: number; readonly like: number }
  | { readonly kind: "remove"; readonly file: number }
  | { readonly kind: "move"; readonly file: number; readonly place: number; readonly line: number }
  | { readonly kind: "move-folder"; readonly file: number; readonly place: number }
  | { readonly kind: "mode"; readonly file: number }
  | { readonly kind: "link"; readonly file: number }
  | { readonly kind: "bytes"; readonly file: number; readonly text: number }
  | { readonly kind: "into-folder"; readonly file: number };

export interface History {
  readonly files: number;
  readonly into: readonly (readonly Edit[])[];
  readonly tips: readonly {
    /** Which commit it starts from: one of the target's, or an earlier tip. */
    readonly start: number;
    readonly commits: readonly (readonly Edit[])[];
  }[];
}

const number = fc.nat({ max: 300 });
const edit: fc.Arbitrary<Edit> = fc.oneof(
  {
    weight: 6,
    arbitrary: fc.record({
      kind: fc.constant("line" as const),
      file: number,
      line: fc.nat({ max: 11 }),
      text: fc.nat({ max: 2 }),
    }),
  },
  { weight: 4, arbitrary: fc.record({ kind: fc.constant("add" as const), place: number, like: number }) },
  { weight: 3, arbitrary: fc.record({ kind: fc.constant("remove" as const), file: number }) },
  {
    weight: 3,
    arbitrary: fc.record({
      kind: fc.constant("move" as const),
      file: number,
      place: number,
      line: fc.nat({ max: 11 }),
    }),
  },
  {
    weight: 2,
    arbitrary: fc.record({ kind: fc.constant("move-folder" as const), file: number, place: number }),
  },
  { weight: 1, arbitrary: fc.record({ kind: fc.constant("mode" as const), file: number }) },
  { weight: 1, arbitrary: fc.record({ kind: fc.constant("link" as const), file: number }) },
  {
    weight: 1,
    arbitrary: fc.record({ kind: fc.constant("bytes" as const), file: number, text: fc.nat({ max: 2 }) }),
  },
  { weight: 1, arbitrary: fc.record({ kind: fc.constant("into-folder" as const), file: number }) },
);
const commits = (most: number): fc.Arbitrary<readonly (readonly Edit[])[]> =>
  fc.array(fc.array(edit, { minLength: 1, maxLength: 3 }), { minLength: 1, maxLength: most });

/** Branches of one project, as workers leave them: some apart, some in each other's way. */
export const histories: fc.Arbitrary<History> = fc.record({
  files: fc.oneof(fc.integer({ min: 4, max: 12 }), fc.integer({ min: 20, max: 70 })),
  into: fc.oneof({ weight: 2, arbitrary: fc.constant([]) }, { weight: 3, arbitrary: commits(2) }),
  tips: fc.array(
    fc.record({
      start: fc.oneof(
        { weight: 8, arbitrary: fc.nat({ max: 2 }) },
        { weight: 1, arbitrary: fc.integer({ min: 3, max: 9 }) },
      ),
      commits: commits(2),
    }),
    { minLength: 1, maxLength: 6 },
  ),
});

interface File {
  readonly mode: "100644" | "100755" | "120000";
  readonly lines: readonly string[];
}
type Files = ReadonlyMap<string, File>;

const folders = ["", "a/", "a/b/", "c/", "c/d/e/", "caf\u00e9/", "g/", "h/i/", "h/j/", "k/l/", "m/"];

export interface BuiltHistory {
  readonly into: string;
  readonly tips: readonly string[];
}

/** Writes the commits into the repository of a project, under no branch. */
export function buildHistory(project: TemporaryRepository, history: History): BuiltHistory {
  const base = firstFiles(history.files);
  const script: string[] = [];
  const states: { readonly mark: number; readonly files: Files }[] = [];
  let marks = 0;
  const commit = (files: Files, parent: number | undefined): number => {
    marks += 1;
    script.push(
      `commit refs/ambit/test\nmark :${marks}\ncommitter Ada <ada@example.org> ${1_700_000_000 + marks} +0000\ndata 1\nx\n`,
      ...(parent === undefined ? [] : [`from :${parent}\n`]),
      "deleteall\n",
      ...[...files].map(([path, { mode, lines }]) => {
        const text = lines.join("\n");
        return `M ${mode} inline ${path}\ndata ${Buffer.byteLength(text, "latin1")}\n${text}\n`;
      }),
    );
    return marks;
  };
  const grow = (
    start: { readonly mark: number; readonly files: Files },
    list: readonly (readonly Edit[])[],
  ) =>
    list.reduce((state, edits) => {
      const files = edits.reduce(applyEdit, state.files);
      const next = { mark: commit(files, state.mark), files };
      states.push(next);
      return next;
    }, start);
  const root = { mark: commit(base, undefined), files: base };
  states.push(root);
  const into = grow(root, history.into);
  const trunk = [...states];
  const tips: (typeof root)[] = [];
  for (const { start, commits: list } of history.tips) {
    const from = start < 3 ? trunk[start % trunk.length] : (tips[start % Math.max(tips.length, 1)] ?? root);
    tips.push(grow(from ?? root, list));
  }
  return importScript(project, script.join(""), [into.mark, ...tips.map(({ mark }) => mark)]);
}

function importScript(project: TemporaryRepository, script: string, marks: readonly number[]): BuiltHistory {
  const answers = execFileSync("git", ["fast-import", "--quiet", "--force"], {
    cwd: project.root,
    input: Buffer.from(`${script}${marks.map((mark) => `get-mark :${mark}\n`).join("")}`, "latin1"),
    stdio: ["pipe", "pipe", "pipe"],
  });
  const [into = "", ...tips] = answers.toString("latin1").trim().split("\n");
  return { into, tips };
}

function firstFiles(count: number): Files {
  return new Map(
    Array.from({ length: count }, (_, index) => {
      const path = `${folders[index % folders.length] ?? ""}f${index}`;
      return [path, { mode: "100644", lines: linesLike(index) }] as const;
    }),
  );
}

function linesLike(seed: number): readonly string[] {
  return Array.from({ length: 12 }, (_, line) => `text ${seed % 5} of file ${seed} line ${line}`);
}

function applyEdit(files: Files, change: Edit): Files {
  const paths = [...files.keys()].sort();
  const next = new Map(files);
  const chosen = "file" in change ? (paths[change.file % Math.max(paths.length, 1)] ?? "") : "";
  const file = files.get(chosen);
  if (change.kind === "add") {
    const like =
      change.like % 2 === 0 ? files.get(paths[change.like % Math.max(paths.length, 1)] ?? "") : undefined;
    place(next, placeOf(change.place), like ?? { mode: "100644", lines: linesLike(100 + change.place) });
  }
  if (file === undefined) return next;
  const keepOne = next.size > 1;
  switch (change.kind) {
    case "line":
      next.set(chosen, {
        ...file,
        lines: file.lines.with(change.line % file.lines.length, `changed ${change.text}`),
      });
      break;
    case "remove":
      if (keepOne) next.delete(chosen);
      break;
    case "move":
      next.delete(chosen);
      place(next, placeOf(change.place), {
        ...file,
        lines: file.lines.with(change.line % file.lines.length, "moved"),
      });
      break;
    case "move-folder":
      moveFolder(next, chosen.slice(0, chosen.lastIndexOf("/") + 1), `moved${change.place % 3}/`);
      break;
    case "mode":
      if (file.mode !== "120000")
        next.set(chosen, { ...file, mode: file.mode === "100644" ? "100755" : "100644" });
      break;
    case "link":
      next.set(chosen, { mode: "120000", lines: ["elsewhere"] });
      break;
    case "bytes":
      next.set(chosen, { ...file, mode: "100644", lines: [`\0binary ${change.text}`] });
      break;
    case "into-folder":
      next.delete(chosen);
      place(next, `${chosen}/inside`, file);
      break;
    case "add":
      break;
  }
  return next;
}

function moveFolder(files: Map<string, File>, folder: string, target: string): void {
  const inside = folder === "" ? [] : [...files].filter(([path]) => path.startsWith(folder));
  for (const [path, file] of inside) {
    files.delete(path);
    place(files, target + path.slice(folder.length), file);
  }
}

function placeOf(choice: number): string {
  return `${folders[choice % folders.length] ?? ""}n${choice % 17}`;
}

/** A file where a folder is, or below a file, cannot be; then nothing is placed. */
function place(files: Map<string, File>, path: string, file: File): void {
  const isTaken = [...files.keys()].some(
    (other) => other.startsWith(`${path}/`) || path.startsWith(`${other}/`),
  );
  if (!isTaken) files.set(path, file);
}

export interface Expected {
  readonly tree: string;
  readonly outcomes: readonly (
    | { readonly status: "merged" | "contained" }
    | { readonly status: "conflict"; readonly files: readonly string[] }
  )[];
}

/** What as many `git merge` do, one after the other, in a checkout. */
function mergeByGit(project: TemporaryRepository, built: BuiltHistory): Expected {
  const { root } = project;
  const git = (...words: string[]): string => project.git(...words);
  git("checkout", "-q", "-f", "--detach", built.into);
  git("clean", "-qffdx", "-e", ".ambit");
  const outcomes = built.tips.map((tip): Expected["outcomes"][number] => {
    try {
      const said = git("merge", "--no-edit", tip);
      return { status: said.startsWith("Already up to date") ? "contained" : "merged" };
    } catch (error) {
      // Quoted as we quote them: none of the names here is UTF-8 but not ASCII.
      const files = git("diff", "--name-only", "--diff-filter=U").split("\n");
      if (!existsSync(join(root, ".git/MERGE_HEAD"))) throw error;
      git("reset", "-q", "--hard");
      rmSync(join(root, ".git/MERGE_HEAD"), { force: true });
      git("clean", "-qffdx", "-e", ".ambit");
      return { status: "conflict", files: [...new Set(files.filter((name) => name !== ""))].sort() };
    }
  });
  return { tree: git("rev-parse", "HEAD^{tree}").trim(), outcomes };
}

/** Undefined where the history hits a bug of git's own (`BUG: merge-ort.c`): there is nothing to compare with then. */
export function tryMergeByGit(project: TemporaryRepository, built: BuiltHistory): Expected | undefined {
  try {
    return mergeByGit(project, built);
  } catch (error) {
    if (!hasCrashed(error)) throw error;
    rmSync(join(project.root, ".git/index.lock"), { force: true });
    return undefined;
  }
}

function hasCrashed(error: unknown): boolean {
  return error instanceof Error && "signal" in error && error.signal === "SIGABRT";
}

/** Merges the tips as the product does: one candidate after the other, leaving out a tip that conflicts. */
export async function mergeInOrder(
  project: TemporaryRepository,
  built: BuiltHistory,
  expected?: Expected,
): Promise<Expected> {
  const outcomes: Expected["outcomes"][number][] = [];
  let ours = built.into;
  for (const theirs of built.tips) {
    const merged = await mergeTips(project, { ours, theirs });
    if (merged.status === "conflict")
      outcomes.push({
        status: "conflict",
        files: comparableFiles(merged.files, expected?.outcomes[outcomes.length]),
      });
    else if (merged.isContained) outcomes.push({ status: "contained" });
    else {
      const candidate = { tree: merged.tree, parents: [ours, theirs], message: "Merge\n", timeSeconds: 1 };
      ours = await commitCandidate(project.repository, candidate);
      outcomes.push({ status: "merged" });
    }
  }
  return { tree: project.git("rev-parse", `${ours}^{tree}`).trim(), outcomes };
}

/** As if Ambit had made all commits of the history: then it merges without git where it can. */
export function claimCommits(project: TemporaryRepository, built: BuiltHistory): void {
  const lines = project
    .git("rev-list", "--parents", built.into, ...built.tips)
    .trim()
    .split("\n");
  for (const [commit = "", ...parents] of lines.map((line) => line.split(" ")))
    recordParents(project.repository, commit, parents);
}

/** Where git names no file, as for a folder that was renamed in two ways, we name the files of the folder. */
function comparableFiles(
  files: readonly string[],
  expected: Expected["outcomes"][number] | undefined,
): readonly string[] {
  const isUnnamedByGit = expected?.status === "conflict" && expected.files.length === 0;
  return isUnnamedByGit ? [] : [...files].sort();
}
