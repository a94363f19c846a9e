import type { InboxEntry } from "../../../app/view-types.ts";
import { createStore } from "../live/store.ts";

/** Questions whose changes were shown on this page, or could not be. */
export const reviews = createStore<ReadonlyMap<string, boolean>>(new Map());

export function noteReview(id: string, isShown: boolean): void {
  reviews.set((before) => (before.get(id) === isShown ? before : new Map(before).set(id, isShown)));
}

/** Whether the answer decides about work that can be looked at. */
export function isAboutWork({ kind }: InboxEntry): boolean {
  return kind === "sensitive-paths" || kind === "scope" || kind === "criterion";
}

/** Whether it can be approved now: its changes are on the screen, or it is clear that they cannot be shown. */
export function isReviewed(entry: InboxEntry): boolean {
  return !isAboutWork(entry) || reviews.get().has(entry.id);
}
