import { isUtf8 } from "node:buffer";
import { closeSync, fstatSync, openSync, readSync } from "node:fs";

export interface TailLine {
  readonly text: string;
  /** The position from which reading continues after this line: pass it as `offset` to resume. */
  readonly offset: number;
  readonly cut: boolean;
  readonly repaired: boolean;
}

export interface TailOptions {
  readonly path: string;
  readonly offset?: number;
  /** Longer lines lose their end. */
  readonly maxLineBytes?: number;
  readonly onLine: (line: TailLine) => void;
  /** The file became shorter than what was read; reading starts again from its beginning. */
  readonly onShrink?: () => void;
}

/** Limits one call, so that a flood in one file does not delay others. */
export interface ReadBudget {
  readonly maxBytes: number;
  readonly maxMs: number;
}

const DEFAULT_MAX_LINE_BYTES = 1024 * 1024;
const CHUNK_BYTES = 64 * 1024;
const LINES_BETWEEN_CLOCK_LOOKS = 64;
const NEWLINE = 0x0a;
const CARRIAGE_RETURN = 0x0d;

/**
 * Reads a growing file line by line: every byte once, any bytes, never more than one line and one chunk in memory. It
 * never waits; its owner calls `read`.
 */
export class FileTail {
  readonly #options: TailOptions;
  readonly #maxLineBytes: number;
  readonly #descriptor: number;
  readonly #chunk = Buffer.allocUnsafe(CHUNK_BYTES);
  #position: number;
  #pending: Buffer[] = [];
  #pendingBytes = 0;
  #isCut = false;

  constructor(options: TailOptions) {
    this.#options = options;
    this.#maxLineBytes = options.maxLineBytes ?? DEFAULT_MAX_LINE_BYTES;
    this.#position = options.offset ?? 0;
    this.#descriptor = openSync(options.path, "r");
  }

  /** Bytes of the file that were not read yet. */
  get remainingBytes(): number {
    return Math.max(0, fstatSync(this.#descriptor).size - this.#position);
  }

  /** Delivers complete lines within the budget; true if there is more to read now. */
  read(budget: ReadBudget): boolean {
    this.#noticeShrink();
    const until = performance.now() + budget.maxMs;
    const end = this.#position + budget.maxBytes;
    while (this.#position < end) {
      const wanted = Math.min(CHUNK_BYTES, end - this.#position);
      const got = readSync(this.#descriptor, this.#chunk, 0, wanted, this.#position);
      if (got === 0) return false;
      const isInTime = this.#deliverLines(this.#chunk.subarray(0, got), until);
      if (!isInTime || performance.now() > until) return true;
    }
    return this.remainingBytes > 0;
  }

  /** Delivers a last line without a newline. */
  finish(): void {
    if (this.#pendingBytes > 0 || this.#isCut) this.#emitLine(Buffer.alloc(0));
  }

  close(): void {
    closeSync(this.#descriptor);
  }

  /** Writing `> /dev/stdout` in a shell empties the file under us. */
  #noticeShrink(): void {
    if (fstatSync(this.#descriptor).size >= this.#position) return;
    this.#position = 0;
    this.#forgetPending();
    this.#options.onShrink?.();
  }

  /** Returns false if time ran out inside the chunk; the rest of it is read again later. */
  #deliverLines(chunk: Buffer, until: number): boolean {
    let from = 0;
    let lines = 0;
    for (let at = chunk.indexOf(NEWLINE); at !== -1; at = chunk.indexOf(NEWLINE, from)) {
      this.#position += at + 1 - from;
      this.#emitLine(chunk.subarray(from, at));
      from = at + 1;
      lines += 1;
      if (lines % LINES_BETWEEN_CLOCK_LOOKS === 0 && performance.now() > until) return false;
    }
    this.#keepPending(chunk.subarray(from));
    this.#position += chunk.length - from;
    return true;
  }

  #keepPending(part: Buffer): void {
    const kept = part.subarray(0, this.#maxLineBytes - this.#pendingBytes);
    if (kept.length < part.length) this.#isCut = true;
    if (kept.length === 0) return;
    // The chunk is reused for the next read.
    this.#pending.push(Buffer.from(kept));
    this.#pendingBytes += kept.length;
  }

  #emitLine(end: Buffer): void {
    const whole = this.#pendingBytes === 0 && end.length <= this.#maxLineBytes ? end : this.#joinPending(end);
    const bytes = whole.at(-1) === CARRIAGE_RETURN ? whole.subarray(0, -1) : whole;
    const line = {
      text: bytes.toString("utf8"),
      offset: this.#position,
      cut: this.#isCut,
      repaired: !isUtf8(bytes),
    };
    this.#forgetPending();
    this.#options.onLine(line);
  }

  #joinPending(end: Buffer): Buffer {
    this.#keepPending(end);
    return Buffer.concat(this.#pending);
  }

  #forgetPending(): void {
    this.#pending = [];
    this.#pendingBytes = 0;
    this.#isCut = false;
  }
}
