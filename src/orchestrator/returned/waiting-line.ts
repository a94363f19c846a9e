/** A delegation in its turn: no other can move its manager's branch meanwhile. */
export interface BranchHold {
  /** Aborts when its proof is to stop. */
  readonly signal: AbortSignal;
  readonly line: WaitingLine;
}

/** The returned work that waits for one branch, in the order it came. */
export class WaitingLine {
  readonly #waiting = new Map<string, AbortSignal>();
  /** The delegations that failed together; the faulty work is among them. */
  #suspects: readonly string[] = [];

  get isEmpty(): boolean {
    return this.#waiting.size === 0;
  }

  join(id: string, signal: AbortSignal): void {
    this.#waiting.set(id, signal);
  }

  leave(id: string): void {
    this.#waiting.delete(id);
  }

  listIds(): readonly string[] {
    return [...this.#waiting.keys()];
  }

  /** Aborts when one of these is stopped. */
  signalsOf(ids: readonly string[]): readonly AbortSignal[] {
    return ids.flatMap((id) => this.#waiting.get(id) ?? []);
  }

  /** The maximum that may be proven together from here on: half of those that failed together. */
  limitFor(first: string): number {
    const isKnown = this.#suspects.every((id) => id === first || this.#waiting.has(id));
    if (!isKnown || !this.#suspects.includes(first)) this.#suspects = [];
    return this.#suspects.length === 0 ? Infinity : Math.ceil(this.#suspects.length / 2);
  }

  noteRed(ids: readonly string[]): void {
    this.#suspects = ids;
  }

  noteGreen(ids: readonly string[]): void {
    this.#suspects = this.#suspects.filter((id) => !ids.includes(id));
  }

  /** Work that is refused alone explains why it failed together with others. */
  noteAlone(id: string, isProven: boolean): void {
    if (isProven) this.noteGreen([id]);
    else this.#suspects = [];
  }
}
