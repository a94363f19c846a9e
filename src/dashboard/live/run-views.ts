import type { StoreReader } from "../../journal/store.ts";
import { RunView } from "./run-view.ts";

/** Runs somebody looks at now; more are read again when they are looked at again. */
const MOST_VIEWS = 8;

/** The views of the runs that were looked at last. */
export class RunViews {
  readonly #views = new Map<string, RunView>();
  #generation = 0;

  /** The view of a run, up to date; undefined where there is no such run. */
  async get(reader: StoreReader, story: string, generation: number): Promise<RunView | undefined> {
    if (generation !== this.#generation) this.#views.clear();
    this.#generation = generation;
    const known = this.#views.get(story);
    if (known === undefined && (await reader.story(story)) === undefined) return undefined;
    const view = this.#views.get(story) ?? known ?? new RunView(story);
    this.#views.delete(story);
    this.#views.set(story, view);
    const [oldest] = this.#views.keys();
    if (this.#views.size > MOST_VIEWS && oldest !== undefined) this.#views.delete(oldest);
    return view.catchUp(reader);
  }
}
