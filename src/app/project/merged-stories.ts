import type { StoreReader } from "../../journal/store.ts";
import type { listStoryBranches } from "../../workspace/story-branches.ts";

type StoryBranches = ReturnType<typeof listStoryBranches>;

/**
 * Which of these stories are in a branch of the user's. A story of a PRD file starts from the work of the one
 * before it, so merging the last one merges all of them. After a squash their commits do not show that; the journal does.
 */
export async function findMergedStories(
  reader: StoreReader | undefined,
  branches: StoryBranches,
  ids: readonly string[],
): Promise<ReadonlySet<string>> {
  const known = ids.filter((id) => branches.has(id));
  const merged = new Set(known.filter((id) => branches.get(id)?.isMerged === true));
  if (reader === undefined || merged.size === 0 || merged.size === known.length) return merged;
  const roots = new Map(
    await Promise.all(known.map(async (id) => [id, await reader.delegation(id)] as const)),
  );
  const endedAt = new Map([...roots].map(([id, root]) => [root?.candidate?.commit ?? null, id]));
  // A set that grows while it is walked: the story that a merged one started from is merged, too.
  for (const id of merged) {
    const before = endedAt.get(roots.get(id)?.base ?? null);
    if (before !== undefined) merged.add(before);
  }
  return merged;
}
