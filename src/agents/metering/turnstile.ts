/** Lets a limited number through at a time; the others wait in order. */
export class Turnstile {
  #free: number;
  readonly #waiting: (() => void)[] = [];

  constructor(atOnce: number) {
    this.#free = atOnce;
  }

  /** Resolves with a function that frees the place; undefined if the waiting client has gone. */
  async enterTurnstile(signal: AbortSignal): Promise<(() => void) | undefined> {
    if (signal.aborted) return undefined;
    if (this.#free > 0) this.#free -= 1;
    else if (!(await this.#waitForTurn(signal))) return undefined;
    let isInside = true;
    return () => {
      if (isInside) this.#leaveTurnstile();
      isInside = false;
    };
  }

  #waitForTurn(signal: AbortSignal): Promise<boolean> {
    return new Promise((resolve) => {
      const come = (): void => {
        signal.removeEventListener("abort", goAway);
        resolve(true);
      };
      const goAway = (): void => {
        this.#waiting.splice(this.#waiting.indexOf(come), 1);
        resolve(false);
      };
      signal.addEventListener("abort", goAway, { once: true });
      this.#waiting.push(come);
    });
  }

  #leaveTurnstile(): void {
    const next = this.#waiting.shift();
    if (next === undefined) this.#free += 1;
    else next();
  }
}
