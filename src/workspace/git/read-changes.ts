import type { ChangedEntry } from "./change-tree.ts";
import { compareKnownTrees } from "./compare-known-trees.ts";
import { recallCommitTree } from "./create-tree-commit.ts";
import { formatBytePath } from "./format-byte-path.ts";
import { ObjectFacts } from "./object-facts.ts";
import { getRefPlace, type Repository } from "./repository.ts";
import { runGit, splitAtZeros } from "./run-git.ts";

export type ChangeKind = "added" | "changed" | "removed";

/** One path in which two commits differ. */
export interface ChangedFile {
  /** The path for people and JSON; a name that is not UTF-8 is quoted as git does. */
  readonly path: string;
  readonly bytes: Buffer;
  readonly kind: ChangeKind;
  /** `100644`, `100755`, `120000` link, `160000` gitlink, `000000` none. */
  readonly oldMode: string;
  readonly newMode: string;
  readonly oldId: string;
  readonly newId: string;
}

const changes = new ObjectFacts<readonly ChangedFile[]>(100);

/** Lists the differences between two commits from their trees, independent of the file system. */
export function readChangedFiles(
  repository: Repository,
  base: string,
  tip: string,
): Promise<readonly ChangedFile[]> {
  return changes.askOnce(repository, [base, tip], async () => {
    const [before, after] = [recallCommitTree(repository, base), recallCommitTree(repository, tip)];
    const known =
      before === undefined || after === undefined
        ? undefined
        : compareKnownTrees(repository, await before, await after);
    return (
      known?.map((entry) => describeEntry(entry, base.length)) ?? compareTrees(repository, { base, tip })
    );
  });
}

/** Records known facts about two commits, so that git need not be asked. */
export function rememberChangedFiles(
  repository: Repository,
  { base, tip }: { readonly base: string; readonly tip: string },
  entries: readonly ChangedEntry[],
): void {
  const files = entries.map((entry) => describeEntry(entry, base.length));
  changes.rememberFact(repository, [base, tip], files);
}

function describeEntry({ path, before, after }: ChangedEntry, idLength: number): ChangedFile {
  const bytes = Buffer.from(path, "latin1");
  const none = { mode: "000000", id: "0".repeat(idLength) };
  const [old, now] = [before ?? none, after ?? none];
  return {
    path: formatBytePath(bytes),
    bytes,
    kind: before === undefined ? "added" : after === undefined ? "removed" : "changed",
    oldMode: old.mode,
    newMode: now.mode,
    oldId: old.id,
    newId: now.id,
  };
}

interface ComparedTrees {
  readonly base: string;
  readonly tip: string;
  /** Pathspecs; every path counts without them. */
  readonly paths?: readonly string[];
}

/** Asks git each time, and remembers nothing. */
export async function compareTrees(
  repository: Repository,
  { base, tip, paths = [] }: ComparedTrees,
): Promise<readonly ChangedFile[]> {
  const { stdout } = await runGit({
    place: getRefPlace(repository),
    arguments: [
      "diff-tree",
      "-r",
      "-z",
      "--raw",
      "--no-abbrev",
      "--no-renames",
      "--no-ext-diff",
      "--no-textconv",
      // Our own switches hide submodules, but a gitlink must be visible here.
      "--ignore-submodules=none",
      base,
      tip,
      "--",
      ...paths,
    ],
  });
  const parts = splitAtZeros(stdout);
  const found: ChangedFile[] = [];
  for (let at = 0; at + 1 < parts.length; at += 2) {
    const facts = parts[at]?.toString("latin1") ?? "";
    found.push(describeChange(facts, parts[at + 1] ?? Buffer.alloc(0)));
  }
  return found;
}

/** `:oldMode newMode oldId newId status` */
function describeChange(facts: string, bytes: Buffer): ChangedFile {
  const [oldMode = "", newMode = "", oldId = "", newId = "", status = ""] = facts.slice(1).split(" ");
  const kind = status === "A" ? "added" : status === "D" ? "removed" : "changed";
  return { path: formatBytePath(bytes), bytes, kind, oldMode, newMode, oldId, newId };
}
