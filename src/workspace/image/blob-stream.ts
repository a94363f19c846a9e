/** Receives the contents of objects in the order in which they were asked for. */
export interface BlobReceiver {
  /** False if there is no place for it, which ends the reading. */
  begin(size: number): boolean;
  /** A piece of the current content, which is only valid during the call. */
  take(piece: Buffer): void;
}

const LINE_FEED = 0x0a;
const MAX_HEADER_BYTES = 200;

/** Reads the output of `git cat-file --batch` piece by piece, so that no content is held in memory. */
export class BlobStream {
  readonly #receiver: BlobReceiver;
  #header = "";
  /** Bytes of the current content that are still to come; its last byte is a line feed of git's. */
  #left = 0;

  constructor(receiver: BlobReceiver) {
    this.#receiver = receiver;
  }

  /** False if something else than the content of a blob came. */
  read(chunk: Buffer): boolean {
    for (let at = 0; at < chunk.length;) {
      if (this.#left === 0) {
        const end = chunk.indexOf(LINE_FEED, at);
        this.#header += chunk.toString("latin1", at, end === -1 ? chunk.length : end);
        if (end === -1) return this.#header.length < MAX_HEADER_BYTES;
        if (!this.#beginBlob()) return false;
        at = end + 1;
        continue;
      }
      const count = Math.min(this.#left, chunk.length - at);
      const isEnd = count === this.#left;
      const bytes = isEnd ? count - 1 : count;
      if (bytes > 0) this.#receiver.take(chunk.subarray(at, at + bytes));
      this.#left -= count;
      at += count;
    }
    return true;
  }

  /** Whether the last content came whole. */
  get isComplete(): boolean {
    return this.#left === 0 && this.#header === "";
  }

  /** `<id> blob <size>`, or something that is no blob. */
  #beginBlob(): boolean {
    const [, type, size] = this.#header.split(" ");
    this.#header = "";
    if (type !== "blob" || size === undefined) return false;
    this.#left = Number(size) + 1;
    return this.#receiver.begin(Number(size));
  }
}
