import { useSyncExternalStore } from "react";
import { useSlowVersion } from "./slow-version.ts";

const counts = new Map<string, number>();
const listeners = new Set<() => void>();

/** Something happened to these delegations. */
export function touch(ids: readonly string[]): void {
  for (const id of ids) counts.set(id, (counts.get(id) ?? 0) + 1);
  if (ids.length > 0) for (const listener of listeners) listener();
}

/** Rises, at most once a second, when something happened to a delegation. */
export function useTouched(id: string): number {
  return useSlowVersion(useSyncExternalStore(watch, () => counts.get(id) ?? 0));
}

function watch(listener: () => void): () => void {
  listeners.add(listener);
  return () => listeners.delete(listener);
}
