import type { StoreReader } from "../../journal/store.ts";
import type { StoryList, StorySummary } from "./types/story.ts";
import { summarizeStory } from "./story-summary.ts";

const MAX_OPEN = 1000;
const MAX_KEPT = 1000;

/** Lists runs, and keeps what it has made of those that did not change since. */
export class StorySummaries {
  readonly #kept = new Map<string, { readonly key: string; readonly summary: StorySummary }>();

  async list(reader: StoreReader | undefined, limit: number): Promise<StoryList> {
    if (reader === undefined) return { seq: 0, runs: [], hasMore: false };
    const { seq } = await reader.head();
    const newest = await reader.stories(limit + 1);
    const ids = newest.slice(0, limit).map(({ id }) => id);
    const open = await reader.openStories(MAX_OPEN);
    const runs = await this.summarize(reader, [...new Set([...ids, ...open.toReversed()])]);
    return { seq, runs: runs.toSorted(compareGroups), hasMore: newest.length > limit };
  }

  /** In the order of the ids; ids that are not stories are left out. */
  async summarize(reader: StoreReader, ids: readonly string[]): Promise<readonly StorySummary[]> {
    const keys = new Map<string, string>();
    for (const id of ids) keys.set(id, (await reader.newestEvents(1, { story: id }))[0]?.hash ?? "");
    // Read after the keys: a summary may know more than its key says, never less.
    const approvals = await reader.openApprovals(MAX_OPEN);
    const found: StorySummary[] = [];
    for (const [id, key] of keys) {
      const kept = this.#kept.get(id);
      const summary = kept?.key === key ? kept.summary : await readSummary(reader, id, approvals);
      if (summary === undefined) continue;
      this.#keep(id, key, summary);
      found.push(summary);
    }
    return found;
  }

  #keep(id: string, key: string, summary: StorySummary): void {
    this.#kept.delete(id);
    this.#kept.set(id, { key, summary });
    const [oldest] = this.#kept.keys();
    if (this.#kept.size > MAX_KEPT && oldest !== undefined) this.#kept.delete(oldest);
  }
}

async function readSummary(
  reader: StoreReader,
  id: string,
  approvals: Parameters<typeof summarizeStory>[0]["approvals"],
): Promise<StorySummary | undefined> {
  const story = await reader.story(id);
  if (story === undefined) return undefined;
  const use = await reader.storyUse(id);
  const root = await reader.delegation(id);
  const delegations = use.open === 0 && root !== undefined ? [root] : await reader.storyOutline(id);
  return summarizeStory({ story, root, delegations, use, approvals });
}

const groups: readonly StorySummary["group"][] = ["needsYou", "working", "done"];

function compareGroups(one: StorySummary, other: StorySummary): number {
  const order = groups.indexOf(one.group) - groups.indexOf(other.group);
  return order === 0 ? (other.openedAtMs ?? 0) - (one.openedAtMs ?? 0) : order;
}
