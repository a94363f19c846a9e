import { findStoryId } from "../../contract/child-id.ts";
import type { JournalEvent } from "../../contract/journal-event.ts";
import type { RunNotice } from "../../orchestrator/create-run-tools.ts";

/** Follows one story: a connected client, or a program that runs it in its own process. */
export interface StoryWatcher {
  event(event: JournalEvent): void;
  output(notice: RunNotice): void;
}

/** Passes events and output to the watchers of their story. A watcher never delays the work. */
export class StoryWatchers {
  readonly #watchers = new Map<string, Set<StoryWatcher>>();
  readonly #endListeners: (() => void)[] = [];

  watch(story: string, watcher: StoryWatcher): () => void {
    const watchers = this.#watchers.get(story) ?? new Set();
    watchers.add(watcher);
    this.#watchers.set(story, watchers);
    return () => {
      watchers.delete(watcher);
      if (watchers.size === 0) this.#watchers.delete(story);
    };
  }

  onStoryEnded(listener: () => void): void {
    this.#endListeners.push(listener);
  }

  tellEvent(event: JournalEvent): void {
    for (const watcher of this.#watchers.get(event.story) ?? []) watcher.event(event);
    if (event.type === "delegation-closed" && event.delegation === event.story)
      for (const listener of this.#endListeners) listener();
  }

  tellOutput(notice: RunNotice): void {
    const story = findStoryId(notice.delegation);
    for (const watcher of this.#watchers.get(story) ?? []) watcher.output(notice);
  }
}
