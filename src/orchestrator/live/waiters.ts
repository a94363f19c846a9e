/** Promises by name: everyone who waits for a name gets the value that comes next under it. */
export class Waiters<Value> {
  readonly #waiting = new Map<string, ((value: Value) => void)[]>();

  waitFor(name: string): Promise<Value> {
    return new Promise((resolve) => this.#waiting.set(name, [...(this.#waiting.get(name) ?? []), resolve]));
  }

  resolveAll(name: string, value: Value): void {
    const waiting = this.#waiting.get(name) ?? [];
    this.#waiting.delete(name);
    for (const resolve of waiting) resolve(value);
  }
}
