import { createHash, type Hash } from "node:crypto";
import { hashInput } from "../stream-json/hash-input.ts";
import type { ToolCall } from "./protocol.ts";

const MAX_LEVELS = 8;

/**
 * Everything an agent shows of a call whose input it does not show, to recognise equal calls: its title, the files it
 * names and its output. Numbers are left out, as they may be times.
 */
export class CallTrace {
  readonly #id: string;
  #title = "";
  #kind = "";
  #places: unknown;
  #result: unknown;
  #output: unknown;
  /** Agents send the output of a terminal piece by piece in `_meta`, and no piece has a fixed size. */
  readonly #pieces: Hash = createHash("sha256");

  constructor(id: string) {
    this.#id = id;
  }

  addUpdate({ title, kind, locations, content, rawOutput, _meta }: ToolCall): void {
    this.#title = title ?? this.#title;
    this.#kind = kind ?? this.#kind;
    this.#places = locations ?? this.#places;
    this.#result = content ?? this.#result;
    this.#output = rawOutput ?? this.#output;
    for (const text of this.#listTexts(_meta, MAX_LEVELS)) this.#pieces.update(text);
  }

  /** For an agent whose titles are the commands it runs, the output does not matter. */
  hashTrace(titlesAreCommands: boolean): { readonly input?: string } {
    if (titlesAreCommands && this.#kind === "execute") return hashInput(this.#title);
    const shown = [this.#places, this.#result, this.#output].map((value) =>
      Array.from(this.#listTexts(value, MAX_LEVELS)),
    );
    return hashInput([this.#title, this.#kind, shown, this.#pieces.copy().digest("hex")]);
  }

  /** Without the call's own id, which is different for each. */
  *#listTexts(value: unknown, levels: number): Generator<string> {
    if (typeof value === "string" && !value.includes(this.#id)) yield value;
    if (typeof value !== "object" || value === null || levels === 0) return;
    for (const inner of Object.values(value)) yield* this.#listTexts(inner, levels - 1);
  }
}
