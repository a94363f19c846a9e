import type { StoreReader } from "../../journal/store.ts";
import { LiveStory } from "./live-story.ts";

/** Stories that are being viewed now; others are read again when they are viewed again. */
const MAX_STORIES = 8;

/** The views of the runs that were looked at last. */
export class LiveStories {
  readonly #views = new Map<string, LiveStory>();
  #generation = 0;

  /** The view of a run, up to date; undefined where there is no such run. */
  async readStory(reader: StoreReader, story: string, generation: number): Promise<LiveStory | undefined> {
    if (generation !== this.#generation) this.#views.clear();
    this.#generation = generation;
    const known = this.#views.get(story);
    if (known === undefined && (await reader.story(story)) === undefined) return undefined;
    const view = this.#views.get(story) ?? known ?? new LiveStory(story);
    this.#views.delete(story);
    this.#views.set(story, view);
    const [oldest] = this.#views.keys();
    if (this.#views.size > MAX_STORIES && oldest !== undefined) this.#views.delete(oldest);
    return view.catchUp(reader);
  }
}
