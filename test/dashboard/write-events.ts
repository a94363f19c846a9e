import { defaultLimits } from "../../src/contract/limits.ts";
import type { Store } from "../../src/journal/store.ts";

const lease = { owner: "test", leaseMs: 3_600_000, maxConcurrent: 64 };
const limits = { ...defaultLimits, maxDelegations: 100, maxConcurrent: 64 };

/** A story with some workers at it. */
export async function openRun(
  store: Store,
  id: string,
  workers: readonly string[],
): Promise<readonly string[]> {
  await store.openStory({ id, kind: "story", title: `run ${id}`, agent: "manager", limits });
  await store.begin(id, 1, lease);
  const requests = workers.map((description) => ({ description, estimatedHours: 2, criteria: ["it works"] }));
  const admissions = await store.admit({ parent: id, parentAttempt: 1, requests });
  const ids = admissions.flatMap((one) => (one.admitted ? [one.delegation.id] : []));
  for (const worker of ids) await store.begin(worker, 1, lease);
  return ids;
}

/** Writes as many notes as asked for, all in one commit. */
export async function writeNotes(store: Store, ids: readonly string[], count: number): Promise<void> {
  const notes = Array.from({ length: count }, (_, index) => {
    const delegation = ids[index % ids.length] ?? "";
    const story = delegation.split("-DEL-", 1)[0] ?? "";
    const data = { text: `step ${index} of ${delegation}` };
    return store.record({ type: "note-added", story, delegation, attempt: 1, data });
  });
  await Promise.all(notes);
}

/** So many events per second, for some seconds; answers how many there were. */
export async function writeSteadily(
  store: Store,
  ids: readonly string[],
  { perSecond, seconds }: { readonly perSecond: number; readonly seconds: number },
): Promise<number> {
  const began = performance.now();
  let written = 0;
  while (performance.now() - began < seconds * 1000) {
    const due = Math.floor(((performance.now() - began) / 1000) * perSecond) - written;
    if (due > 0) await writeNotes(store, ids, due);
    written += Math.max(0, due);
    await new Promise((resolve) => setTimeout(resolve, 20));
  }
  return written;
}
