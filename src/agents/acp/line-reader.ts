import { StringDecoder } from "node:string_decoder";

export type ReadLine =
  | { readonly kind: "line"; readonly text: string }
  /** The beginning of a line that is too long; the rest is dropped. */
  | { readonly kind: "overlong"; readonly head: string };

/** Most agents put whole files into one message; a longer line is a flood. */
const MAX_LINE_BYTES = 16 * 1024 * 1024;
const HEAD_BYTES = 64 * 1024;
const NEWLINE = 0x0a;

/** Splits a stream into lines and never holds more than one line of the maximum length. */
export class LineReader {
  readonly #onLine: (line: ReadLine) => void;
  readonly #maxBytes: number;
  #pending: Buffer[] = [];
  #bytes = 0;

  constructor(onLine: (line: ReadLine) => void, maxBytes = MAX_LINE_BYTES) {
    this.#onLine = onLine;
    this.#maxBytes = maxBytes;
  }

  pushChunk(chunk: Buffer): void {
    let from = 0;
    for (let at = chunk.indexOf(NEWLINE); at !== -1; at = chunk.indexOf(NEWLINE, from)) {
      this.#keepPart(chunk.subarray(from, at));
      this.#emitLine();
      from = at + 1;
    }
    this.#keepPart(chunk.subarray(from));
  }

  /** Emits a last line without a newline. */
  flushLastLine(): void {
    if (this.#bytes > 0) this.#emitLine();
  }

  #keepPart(part: Buffer): void {
    if (part.length === 0) return;
    const wasOverlong = this.#bytes > this.#maxBytes;
    this.#bytes += part.length;
    if (wasOverlong) return;
    this.#pending.push(part);
    if (this.#bytes > this.#maxBytes) this.#pending = [Buffer.concat(this.#pending).subarray(0, HEAD_BYTES)];
  }

  #emitLine(): void {
    const isOverlong = this.#bytes > this.#maxBytes;
    const text = new StringDecoder("utf8").write(Buffer.concat(this.#pending));
    this.#pending = [];
    this.#bytes = 0;
    if (isOverlong) this.#onLine({ kind: "overlong", head: text });
    else if (text.trim() !== "") this.#onLine({ kind: "line", text });
  }
}
