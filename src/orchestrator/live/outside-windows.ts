import { compareOutside, type OutsideState } from "../../workspace/outside-state.ts";

type Look = () => Promise<OutsideState | undefined>;

interface Window {
  readonly before: Promise<OutsideState | undefined>;
  /** The number of attempts that work now. */
  open: number;
  /** The number of attempts that have worked since it was opened. */
  all: number;
}

export interface OutsideChange {
  readonly changed: readonly string[];
  readonly others: number;
}

/**
 * For each story, the state outside its workspaces from the start of its first attempt to the end of the last one. Many
 * workers share one window, because each look asks git twice.
 */
export class OutsideWindows {
  readonly #windows = new Map<string, Window>();

  /** Resolves when the attempt may start. */
  async enter(story: string, look: Look): Promise<void> {
    const window = this.#windows.get(story) ?? { before: look(), open: 0, all: 0 };
    this.#windows.set(story, window);
    window.open += 1;
    window.all += 1;
    await window.before;
  }

  /** Returns the changes to the last attempt that leaves. */
  async leave(story: string, look: Look): Promise<OutsideChange | undefined> {
    const window = this.#windows.get(story);
    if (window === undefined) return undefined;
    window.open -= 1;
    if (window.open > 0) return undefined;
    this.#windows.delete(story);
    const [before, after] = [await window.before, await look()];
    if (before === undefined || after === undefined) return undefined;
    return { changed: compareOutside(before, after), others: window.all - 1 };
  }
}
