import { runGit, splitZero } from "../git.ts";
import { refPlace, type Repository } from "../repository.ts";
import type { TreeChange } from "./change-list.ts";
import { foldersAbove } from "./paths.ts";
import type { PlanFacts } from "./plan-merges.ts";

/**
 * Whether git's search for renames could change how these tips merge. A rename is a file that vanished and one that
 * appeared. It matters where someone else touches either of the two, or where a whole folder vanished into which
 * someone else puts a new file, which git then puts where the folder went.
 */
export async function mayRenamesMatter(repository: Repository, facts: PlanFacts): Promise<boolean> {
  const parties = [...facts.tips.map(({ changes }) => changes), [...facts.sinceBase.values()].flat()];
  const all = parties.flat();
  const canRename = all.some(({ kind }) => kind === "removed") && all.some(({ kind }) => kind === "added");
  if (!canRename) return false;
  if (isAnySharedPathMoved(parties)) return true;
  const folders = foldersBothLeftAndEntered(parties);
  return folders.length > 0 && (await canVanish(repository, facts, folders));
}

/** A path that one party adds or removes and another one touches as well. */
function isAnySharedPathMoved(parties: readonly (readonly TreeChange[])[]): boolean {
  const seen = new Map<string, { readonly party: number; readonly isMoved: boolean }>();
  for (const [party, changes] of parties.entries()) {
    for (const { path, kind } of changes) {
      const before = seen.get(path);
      const isMoved = kind !== "changed";
      if (before !== undefined && before.party !== party && (before.isMoved || isMoved)) return true;
      seen.set(path, { party, isMoved: isMoved || before?.isMoved === true });
    }
  }
  return false;
}

/** Folders that one party removes files from and another one adds files to, at any depth. */
function foldersBothLeftAndEntered(parties: readonly (readonly TreeChange[])[]): readonly string[] {
  const left = parties.map((changes) => foldersOf(changes, "removed"));
  const leavers = new Map<string, number>();
  for (const folder of left.flatMap((folders) => [...folders]))
    leavers.set(folder, (leavers.get(folder) ?? 0) + 1);
  const both = parties.flatMap((changes, party) =>
    [...foldersOf(changes, "added")].filter((folder) => {
      const own = left[party]?.has(folder) === true ? 1 : 0;
      return (leavers.get(folder) ?? 0) > own;
    }),
  );
  return [...new Set(both)];
}

function foldersOf(changes: readonly TreeChange[], wanted: TreeChange["kind"]): ReadonlySet<string> {
  return new Set(changes.filter(({ kind }) => kind === wanted).flatMap(({ path }) => foldersAbove(path)));
}

/** Whether one of the folders could be gone on some side: unless it holds a file that all sides have and nobody removes. */
async function canVanish(
  repository: Repository,
  { into, tips, sinceBase }: PlanFacts,
  folders: readonly string[],
): Promise<boolean> {
  // Arguments of a program are text; other names count as doubtful.
  const names = folders.map((folder) => Buffer.from(folder, "latin1").toString("utf8"));
  if (names.some((name) => name.includes("\uFFFD"))) return true;
  const { stdout } = await runGit({
    place: refPlace(repository),
    arguments: ["ls-tree", "-r", "-z", "--name-only", into, "--", ...names.map((name) => `${name}/`)],
  });
  const goneSomewhere = new Set([
    ...[...sinceBase.values()]
      .flat()
      .filter(({ kind }) => kind === "added")
      .map(({ path }) => path),
    ...tips.flatMap(({ changes }) =>
      changes.filter(({ kind }) => kind === "removed").map(({ path }) => path),
    ),
  ]);
  const staying = splitZero(stdout)
    .map((path) => path.toString("latin1"))
    .filter((path) => !goneSomewhere.has(path));
  const kept = new Set(staying.flatMap(foldersAbove));
  return folders.some((folder) => !kept.has(folder));
}
