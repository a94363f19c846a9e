/** Lets so many through at a time, the others in the order in which they came. */
export class Turnstile {
  #free: number;
  readonly #waiting: (() => void)[] = [];

  constructor(atOnce: number) {
    this.#free = atOnce;
  }

  /** Resolves with what gives the place back; undefined where whoever waited has gone away. */
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
