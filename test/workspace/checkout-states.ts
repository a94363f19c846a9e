import { execFileSync } from "node:child_process";
import {
  chmodSync,
  lstatSync,
  mkdirSync,
  readFileSync,
  renameSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from "node:fs";
import { dirname, join } from "node:path";
import fc from "fast-check";
import type { TemporaryRepository } from "./temporary-repository.ts";

/** One thing a user does in the checkout, or a story on its branch. Numbers choose among what is there. */
export type Deed =
  | { readonly kind: "line"; readonly file: number; readonly line: number; readonly text: number }
  | { readonly kind: "remove" | "mode" | "link" | "binary" | "into-folder"; readonly file: number }
  | { readonly kind: "move"; readonly file: number; readonly place: number }
  | { readonly kind: "add"; readonly place: number; readonly text: number }
  | { readonly kind: "gitlink"; readonly text: number };

/** What only a user does: git is told to look away from a file. */
export interface HidingDeed {
  readonly kind: "hide";
  readonly file: number;
  readonly flag: "--assume-unchanged" | "--skip-worktree";
}

/** A deed of the user; `staged` also puts it into the index. */
export interface UserDeed {
  readonly deed: Deed | HidingDeed;
  readonly staged: boolean;
}

export interface CheckoutState {
  readonly earlier: readonly UserDeed[];
  /** Done after the story started. */
  readonly later: readonly UserDeed[];
  readonly story: readonly Deed[];
  readonly way: "merge-commit" | "squash" | undefined;
  readonly hasStash: boolean;
  /** The user commits something before the merge. */
  readonly commits: boolean;
  readonly hasOddModes: boolean;
  /** Git is told to write CRLF, and the files have LF. */
  readonly convertsLineEnds: boolean;
}

const file = fc.nat({ max: 40 });
const deeds: fc.Arbitrary<Deed> = fc.oneof(
  {
    weight: 8,
    arbitrary: fc.record({
      kind: fc.constant("line" as const),
      file,
      line: fc.nat({ max: 11 }),
      text: fc.nat({ max: 2 }),
    }),
  },
  {
    weight: 3,
    arbitrary: fc.record({ kind: fc.constant("add" as const), place: file, text: fc.nat({ max: 1 }) }),
  },
  { weight: 2, arbitrary: fc.record({ kind: fc.constant("move" as const), file, place: file }) },
  {
    weight: 4,
    arbitrary: fc.record({
      kind: fc.constantFrom(
        "remove" as const,
        "mode" as const,
        "link" as const,
        "binary" as const,
        "into-folder" as const,
      ),
      file,
    }),
  },
  { weight: 1, arbitrary: fc.record({ kind: fc.constant("gitlink" as const), text: fc.nat({ max: 2 }) }) },
);
const hidingDeeds: fc.Arbitrary<HidingDeed> = fc.record({
  kind: fc.constant("hide" as const),
  file,
  flag: fc.constantFrom("--assume-unchanged" as const, "--skip-worktree" as const),
});
const deedsOfUsers = fc.oneof({ weight: 8, arbitrary: deeds }, { weight: 1, arbitrary: hidingDeeds });
const userDeeds = fc.array(fc.record({ deed: deedsOfUsers, staged: fc.boolean() }), { maxLength: 4 });

export const checkoutStates: fc.Arbitrary<CheckoutState> = fc.record({
  earlier: userDeeds,
  later: fc.oneof({ weight: 3, arbitrary: fc.constant([]) }, { weight: 1, arbitrary: userDeeds }),
  story: fc.array(deeds, { minLength: 1, maxLength: 4 }),
  way: fc.constantFrom(undefined, undefined, "squash" as const, "merge-commit" as const),
  hasStash: fc.boolean(),
  commits: fc.oneof(
    { weight: 4, arbitrary: fc.constant(false) },
    { weight: 1, arbitrary: fc.constant(true) },
  ),
  hasOddModes: fc.boolean(),
  convertsLineEnds: fc.oneof(
    { weight: 4, arbitrary: fc.constant(false) },
    { weight: 1, arbitrary: fc.constant(true) },
  ),
});

export const names = [
  "a.txt",
  "b.txt",
  "src/c.txt",
  "src/d.txt",
  "src/deep/e.txt",
  "f g.txt",
  "run.sh",
  "caf\u00e9.txt",
];
/** Some of them are ignored, and some look like secrets. */
const places = [
  "n0.txt",
  "src/n1.txt",
  "new/n2.txt",
  "n3.log",
  ".env",
  "src/deep/n4.txt",
  "new/n5.txt",
  "key.pem",
];
/** False for a name that looks like a secret. */
export function isPublicPlace(place: number): boolean {
  return ![".env", "key.pem"].includes(places[place % places.length] ?? "");
}

export const SUBMODULE = "library";

export function baseLines(name: string): readonly string[] {
  return Array.from({ length: 12 }, (_, line) => `${name} line ${String(line)} with some words`);
}

export function gitlink(text: number): string {
  return `160000,${String(text + 1).repeat(40)},${SUBMODULE}`;
}

/** Whether a deed has an effect depends on what others did before; one without any effect is skipped. */
export function doAsUser(project: TemporaryRepository, { deed, staged }: UserDeed): void {
  if (deed.kind === "gitlink") {
    project.git("update-index", "--add", "--cacheinfo", gitlink(deed.text));
    return;
  }
  if (deed.kind === "hide") {
    hide(project, deed);
    return;
  }
  const touched = changeFiles(project.root, deed);
  const there = touched.filter((path) => isStageable(project, path));
  if (staged && there.length > 0)
    project.git("--literal-pathspecs", "add", "-A", "-f", "--sparse", "--", ...there);
}

function hide(project: TemporaryRepository, { file: number, flag }: HidingDeed): void {
  const tracked = project.git("ls-files", "-z").split("\0").slice(0, -1);
  const path = tracked[number % Math.max(tracked.length, 1)];
  if (path !== undefined && path !== SUBMODULE) project.git("update-index", flag, "--", path);
}

/**
 * `git add` of a name that neither the index nor the folder has is an error; so is one of an entry that is marked as
 * skipped, if the folder does not have it.
 */
function isStageable(project: TemporaryRepository, path: string): boolean {
  if (isPresent(project.root, path)) return true;
  const entry = project.git("--literal-pathspecs", "ls-files", "-t", "--", path);
  return entry !== "" && !entry.startsWith("S ");
}

/** A commit of the story on top of another, made without touching the user's checkout. */
export function commitStory(project: TemporaryRepository, parent: string, story: readonly Deed[]): string {
  const folder = join(project.root, "..", "story");
  const index = join(project.root, "..", "story-index");
  mkdirSync(folder);
  const git = (...words: readonly string[]): string =>
    execFileSync("git", words, {
      cwd: folder,
      encoding: "utf8",
      env: {
        PATH: process.env["PATH"] ?? "",
        HOME: project.home,
        GIT_DIR: join(project.root, ".git"),
        GIT_WORK_TREE: folder,
        GIT_INDEX_FILE: index,
      },
      stdio: ["ignore", "pipe", "pipe"],
    }).trim();
  try {
    git("read-tree", "--reset", "-u", parent);
    for (const deed of story) if (deed.kind !== "gitlink") changeFiles(folder, deed);
    git("add", "-A", "-f");
    const link = story.findLast((deed) => deed.kind === "gitlink");
    if (link !== undefined) git("update-index", "--add", "--cacheinfo", gitlink(link.text));
    const tree = git("write-tree");
    return git("commit-tree", "-p", parent, "-m", "Story", tree);
  } finally {
    rmSync(folder, { recursive: true });
    rmSync(index, { force: true });
  }
}

/** Does one thing to the files of a folder; answers the paths it touched. */
export function changeFiles(root: string, deed: Exclude<Deed, { kind: "gitlink" }>): readonly string[] {
  if (deed.kind === "add") {
    const path = places[deed.place % places.length] ?? "";
    return putFile(root, path, `${baseLines(`new ${String(deed.text)}`).join("\n")}\n`) ? [path] : [];
  }
  const present = [...names, ...places].filter((name) => isRegular(root, name));
  const path = present[deed.file % Math.max(present.length, 1)];
  if (path === undefined) return [];
  const full = join(root, path);
  switch (deed.kind) {
    case "line": {
      const lines = readFileSync(full, "utf8").split("\n");
      lines[deed.line % lines.length] = `changed to ${String(deed.text)}`;
      writeFileSync(full, lines.join("\n"));
      return [path];
    }
    case "remove":
      rmSync(full);
      return [path];
    case "mode":
      chmodSync(full, lstatSync(full).mode ^ 0o111);
      return [path];
    case "link":
      rmSync(full);
      symlinkSync("elsewhere", full);
      return [path];
    case "binary":
      writeFileSync(full, Buffer.from([0, 255, deed.file % 256, 13, 10]));
      return [path];
    case "into-folder": {
      const content = readFileSync(full);
      rmSync(full);
      mkdirSync(full);
      writeFileSync(join(full, "inside"), content);
      return [path];
    }
    case "move": {
      const to = places[deed.place % places.length] ?? "";
      if (isPresent(root, to) || !makeFolder(root, to)) return [];
      renameSync(full, join(root, to));
      return [path, to];
    }
  }
}

function putFile(root: string, path: string, content: string): boolean {
  if (isPresent(root, path) || !makeFolder(root, path)) return false;
  writeFileSync(join(root, path), content);
  return true;
}

/** False if a file is where a folder would have to be. */
function makeFolder(root: string, path: string): boolean {
  try {
    mkdirSync(dirname(join(root, path)), { recursive: true });
    return true;
  } catch {
    return false;
  }
}

function isRegular(root: string, path: string): boolean {
  return isPresent(root, path) && lstatSync(join(root, path)).isFile();
}

function isPresent(root: string, path: string): boolean {
  try {
    return lstatSync(join(root, path), { throwIfNoEntry: false }) !== undefined;
  } catch {
    return false;
  }
}
