import { formatBytePath } from "./git/format-byte-path.ts";
import { getRefPlace, type Repository } from "./git/repository.ts";
import { runGit, splitAtZeros } from "./git/run-git.ts";

export interface DiffQuestion {
  /** Commits or trees. */
  readonly from: string;
  readonly to: string;
  readonly kind: "stat" | "names" | "patch";
  /** Files and folders; all if absent. They are taken literally, not as patterns. */
  readonly paths?: readonly string[];
  /** Maximum length of the answer in bytes; `isCut` says if something was left out. */
  readonly maxBytes?: number;
}

export interface DiffFile {
  /** Names that are not UTF-8 are quoted as git does. */
  readonly path: string;
  readonly kind: "added" | "changed" | "removed" | "renamed";
  /** Only for renamed files. */
  readonly oldPath?: string;
  /** Number of lines; null for binary files. */
  readonly added: number | null;
  readonly removed: number | null;
}

export interface Diff {
  readonly files: readonly DiffFile[];
  readonly added: number;
  readonly removed: number;
  /** The text for `patch`; empty otherwise. */
  readonly text: string;
  readonly isCut: boolean;
}

const MAX_BYTES = 1024 * 1024;
const MAX_FILES = 10_000;

/**
 * Lists the differences between two commits for people and JSON. Reads only trees and runs no diff program that a
 * repository may name.
 */
export async function readDiff(repository: Repository, question: DiffQuestion): Promise<Diff> {
  const all = await readDiffFiles(repository, question);
  const files = all.slice(0, MAX_FILES);
  const sums = {
    added: all.reduce((sum, file) => sum + (file.added ?? 0), 0),
    removed: all.reduce((sum, file) => sum + (file.removed ?? 0), 0),
  };
  const patch =
    question.kind === "patch" ? await readDiffPatch(repository, question) : { text: "", isCut: false };
  return { files, ...sums, text: patch.text, isCut: patch.isCut || files.length < all.length };
}

const safe: readonly string[] = [
  "--no-ext-diff",
  "--no-textconv",
  "--no-color",
  "--find-renames",
  "--ignore-submodules=none",
  "--submodule=short",
];

async function readDiffFiles(repository: Repository, question: DiffQuestion): Promise<readonly DiffFile[]> {
  const isCounted = question.kind !== "names";
  const { stdout } = await runDiffTree(repository, question, [
    "--raw",
    "-z",
    "--abbrev=1",
    ...(isCounted ? ["--numstat"] : []),
  ]);
  const parts = splitAtZeros(stdout);
  const facts: { readonly status: string; readonly paths: readonly Buffer[] }[] = [];
  let at = 0;
  while (parts[at]?.[0] === COLON) {
    const status = parts[at]?.toString("latin1").split(" ")[4] ?? "";
    const count = status.startsWith("R") || status.startsWith("C") ? 2 : 1;
    facts.push({ status, paths: parts.slice(at + 1, at + 1 + count) });
    at += 1 + count;
  }
  const counts = isCounted ? parseLineCounts(parts.slice(at)) : [];
  return facts.map(({ status, paths }, index) => describeDiffFile(status, paths, counts[index]));
}

const COLON = 0x3a;

interface Counts {
  readonly added: number | null;
  readonly removed: number | null;
}

/** `added TAB removed TAB path`, or for renames `added TAB removed TAB` and two more parts. Dashes for binary files. */
function parseLineCounts(parts: readonly Buffer[]): readonly Counts[] {
  const counts: Counts[] = [];
  for (let at = 0; at < parts.length; at += 1) {
    const [added = "", removed = "", path = ""] = parts[at]?.toString("latin1").split("\t") ?? [];
    counts.push({ added: parseLineCount(added), removed: parseLineCount(removed) });
    if (path === "") at += 2;
  }
  return counts;
}

function parseLineCount(text: string): number | null {
  return text === "-" ? null : Number(text);
}

function describeDiffFile(status: string, paths: readonly Buffer[], counts: Counts | undefined): DiffFile {
  const kinds = { A: "added", D: "removed", R: "renamed" } as const;
  const letter = status.charAt(0);
  const kind = letter === "A" || letter === "D" || letter === "R" ? kinds[letter] : "changed";
  const [first = Buffer.alloc(0), second] = paths;
  return {
    path: formatBytePath(second ?? first),
    kind,
    ...(second === undefined ? {} : { oldPath: formatBytePath(first) }),
    added: counts?.added ?? null,
    removed: counts?.removed ?? null,
  };
}

async function readDiffPatch(
  repository: Repository,
  question: DiffQuestion,
): Promise<{ readonly text: string; readonly isCut: boolean }> {
  const { stdout } = await runDiffTree(repository, question, ["--patch", "--full-index"]);
  const most = question.maxBytes ?? MAX_BYTES;
  if (stdout.length <= most) return { text: stdout.toString("utf8"), isCut: false };
  // The cut is at the end of a line, so that no character is cut in half.
  const end = stdout.lastIndexOf(LINE_FEED, most - 1) + 1;
  return { text: stdout.toString("utf8", 0, end), isCut: true };
}

const LINE_FEED = 0x0a;

function runDiffTree(
  repository: Repository,
  { from, to, paths }: DiffQuestion,
  words: readonly string[],
): ReturnType<typeof runGit> {
  const chosen = paths === undefined || paths.length === 0 ? [] : ["--", ...paths];
  return runGit({
    place: getRefPlace(repository),
    arguments: ["--literal-pathspecs", "diff-tree", "-r", ...safe, ...words, from, to, ...chosen],
  });
}
