import { defaultLimits } from "../src/contract/limits.ts";
import type { Store } from "../src/journal/store.ts";

/** A story that waits for a machine, as its coordinator tells it. */
export async function openUnservedStory(store: Store, id: string, text: string): Promise<void> {
  await store.openStory({ id, kind: "story", title: "Paint it", agent: "painter", limits: defaultLimits });
  await tellUnserved(store, id, { text, unserved: true });
}

export async function tellUnserved(
  store: Store,
  id: string,
  data: { readonly text: string; readonly unserved: boolean },
): Promise<void> {
  await store.record({ type: "note-added", story: id, delegation: id, attempt: 0, data });
}
