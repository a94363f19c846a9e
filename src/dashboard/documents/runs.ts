import type { StoreReader } from "../../journal/store.ts";
import type { RunList, RunSummary } from "../wire.ts";
import { summarizeRun } from "./run-summary.ts";

const MOST_OPEN = 1000;
const MOST_KEPT = 1000;

/** Lists runs, and keeps what it has made of those that did not change since. */
export class RunSummaries {
  readonly #kept = new Map<string, { readonly key: string; readonly summary: RunSummary }>();

  async list(reader: StoreReader | undefined, limit: number): Promise<RunList> {
    if (reader === undefined) return { seq: 0, runs: [], hasMore: false };
    const { seq } = await reader.head();
    const newest = await reader.stories(limit + 1);
    const ids = newest.slice(0, limit).map(({ id }) => id);
    const open = await reader.openStories(MOST_OPEN);
    const runs = await this.of(reader, [...new Set([...ids, ...open.toReversed()])]);
    return { seq, runs: runs.toSorted(byGroup), hasMore: newest.length > limit };
  }

  /** In the order of the ids; what is no run is left out. */
  async of(reader: StoreReader, ids: readonly string[]): Promise<readonly RunSummary[]> {
    const approvals = await reader.openApprovals(MOST_OPEN);
    const found: RunSummary[] = [];
    for (const id of ids) {
      const [newest] = await reader.newestEvents(1, { story: id });
      const key = newest?.hash ?? "";
      const kept = this.#kept.get(id);
      const summary = kept?.key === key ? kept.summary : await summarize(reader, id, approvals);
      if (summary === undefined) continue;
      this.#keep(id, key, summary);
      found.push(summary);
    }
    return found;
  }

  #keep(id: string, key: string, summary: RunSummary): void {
    this.#kept.delete(id);
    this.#kept.set(id, { key, summary });
    const [oldest] = this.#kept.keys();
    if (this.#kept.size > MOST_KEPT && oldest !== undefined) this.#kept.delete(oldest);
  }
}

async function summarize(
  reader: StoreReader,
  id: string,
  approvals: Parameters<typeof summarizeRun>[0]["approvals"],
): Promise<RunSummary | undefined> {
  const story = await reader.story(id);
  if (story === undefined) return undefined;
  return summarizeRun({ story, delegations: await reader.storyTree(id), approvals });
}

const groups: readonly RunSummary["group"][] = ["needsYou", "working", "done"];

function byGroup(one: RunSummary, other: RunSummary): number {
  const order = groups.indexOf(one.group) - groups.indexOf(other.group);
  return order === 0 ? (other.openedAtMs ?? 0) - (one.openedAtMs ?? 0) : order;
}
