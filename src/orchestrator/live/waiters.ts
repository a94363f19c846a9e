/** Promises by name: whoever waits for a name is told when it comes, once. */
export class Waiters<Value> {
  readonly #waiting = new Map<string, ((value: Value) => void)[]>();

  wait(name: string): Promise<Value> {
    return new Promise((resolve) => this.#waiting.set(name, [...(this.#waiting.get(name) ?? []), resolve]));
  }

  tell(name: string, value: Value): void {
    const told = this.#waiting.get(name) ?? [];
    this.#waiting.delete(name);
    for (const resolve of told) resolve(value);
  }
}
