const MAX_KEYS = 1000;

/** Remembers what was made of a text: files that are read again and again, and seldom change, are parsed once. */
export class TextMemo<Value> {
  readonly #known = new Map<string, { readonly text: string; readonly value: Value }>();

  /** The value of the last text under this key; undefined if that was another text. */
  find(key: string, text: string): Value | undefined {
    const last = this.#known.get(key);
    return last?.text === text ? last.value : undefined;
  }

  keep(key: string, text: string, value: Value): Value {
    if (this.#known.size >= MAX_KEYS) this.#known.clear();
    this.#known.set(key, { text, value });
    return value;
  }
}
