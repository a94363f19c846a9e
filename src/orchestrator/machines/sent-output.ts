import { dirname, join } from "node:path";
import { readFileRange } from "../../base/files.ts";
import { returnCaps } from "../../contract/read-return.ts";
import type { Board } from "../../journal/machines.ts";
import type { Delegation, RecordableEvent, Store } from "../../journal/store.ts";
import { redactCredentials } from "../../redaction/redact.ts";
import { nameAttemptFiles } from "../delegation/attempt-files.ts";

export interface SentParts {
  readonly board: Pick<Board, "keepOutput">;
  readonly store: Pick<Store, "delegation">;
  readonly stateDirectory: string;
}

/** An attempt whose output is sent, with the position in each stream. */
interface Sending {
  readonly id: string;
  readonly attempt: number;
  readonly offsets: Map<string, number>;
  number: number;
  before: number;
  /**
   * A piece of which it is unknown whether the database has it. It is sent again unchanged, whatever was written since.
   */
  unsure: SentPiece | undefined;
  turn: Promise<void>;
}

interface SentPiece {
  readonly chunk: Parameters<Board["keepOutput"]>[0];
  /** The position in its stream after this piece. */
  readonly offset: number;
}

const SEND_MS = 1000;
const CHUNK_BYTES = 64 * 1024;
/** Longer lines are cut; up to this length a line is sent whole, so that credentials in it are found. */
const MAX_LINE_BYTES = 1024 * 1024;
/** The database keeps this much of the beginning and of the end, so the part in between is not sent. */
const KEPT_BYTES = 2 * 1024 * 1024;
const LINE_FEED = 0x0a;
/** The events after which the agent's process is over and its return is in its file. */
const endings: ReadonlySet<RecordableEvent["type"]> = new Set(["attempt-ended", "attempt-lost"]);

/**
 * Sends the output of agents on this machine to where the coordinator finds it: every second, and the rest before the
 * journal records that an attempt has ended. Credentials that this machine knows are removed first. No step waits for
 * output for long, and the whole of it stays in this machine's files.
 */
export class SentOutput {
  readonly #parts: SentParts;
  readonly #sending = new Map<string, Sending>();
  readonly #timer: NodeJS.Timeout;

  constructor(parts: SentParts) {
    this.#parts = parts;
    this.#timer = setInterval(() => {
      for (const one of this.#sending.values()) void this.#inTurn(one, false);
    }, SEND_MS);
  }

  begin(id: string, attempt: number): void {
    const key = nameKey(id, attempt);
    if (this.#sending.has(key)) return;
    this.#sending.set(key, {
      id,
      attempt,
      offsets: new Map(),
      number: 0,
      before: 0,
      unsure: undefined,
      turn: Promise.resolve(),
    });
  }

  /** Called before an event is recorded. */
  readonly sendBefore = async ({ type, delegation, attempt }: RecordableEvent): Promise<void> => {
    if (delegation !== null && endings.has(type)) await this.#sendRest(delegation, attempt);
  };

  /** Called when the attempt is over on this machine. */
  async end(id: string, attempt: number): Promise<void> {
    await this.#sendRest(id, attempt);
    this.#sending.delete(nameKey(id, attempt));
  }

  async close(): Promise<void> {
    clearInterval(this.#timer);
    await Promise.all([...this.#sending.values()].map(({ turn }) => turn));
  }

  async #sendRest(id: string, attempt: number): Promise<void> {
    const sending = this.#sending.get(nameKey(id, attempt));
    if (sending !== undefined) await this.#inTurn(sending, true);
  }

  /** Output that could not be sent is sent with the next try. */
  #inTurn(sending: Sending, isEnd: boolean): Promise<void> {
    sending.turn = sending.turn.then(() => this.#sendNew(sending, isEnd)).catch(() => undefined);
    return sending.turn;
  }

  async #sendNew(sending: Sending, isEnd: boolean): Promise<void> {
    const { stateDirectory, store } = this.#parts;
    if (sending.unsure !== undefined) await this.#sendPiece(sending, sending.unsure);
    const files = nameAttemptFiles(stateDirectory, sending);
    await this.#sendStream(sending, { stream: "prompt", path: files.prompt, isEnd: true });
    for (const stream of ["stdout", "stderr"])
      await this.#sendStream(sending, { stream, path: join(files.directory, stream), isEnd });
    if (!isEnd) return;
    const path = findReturnFile(stateDirectory, await store.delegation(sending.id), sending);
    await this.#sendStream(sending, { stream: "return", path, isEnd, maxBytes: returnCaps.bytes + 1 });
  }

  async #sendStream(sending: Sending, source: Source): Promise<void> {
    const { offsets, id: delegation, attempt } = sending;
    for (;;) {
      const piece = readPiece(source, { offset: offsets.get(source.stream) ?? 0, before: sending.before });
      if (piece.skipped > 0) {
        sending.before += piece.skipped;
        offsets.set(source.stream, piece.start);
      }
      if (piece.bytes.length === 0) return;
      const { text } = redactCredentials(piece.bytes.toString("utf8"));
      const { number, before } = sending;
      const chunk = { delegation, attempt, number: number + 1, before, text, stream: source.stream };
      await this.#sendPiece(sending, { chunk, offset: piece.start + piece.bytes.length });
    }
  }

  async #sendPiece(sending: Sending, piece: SentPiece): Promise<void> {
    const { chunk, offset } = piece;
    sending.unsure = piece;
    await this.#parts.board.keepOutput(chunk);
    sending.unsure = undefined;
    sending.number = chunk.number;
    sending.before = chunk.before + Buffer.byteLength(chunk.text);
    sending.offsets.set(chunk.stream, offset);
  }
}

interface Source {
  readonly stream: string;
  readonly path: string;
  /** No output will follow. */
  readonly isEnd: boolean;
  readonly maxBytes?: number;
}

interface Piece {
  readonly start: number;
  /** The number of bytes before the start that are not sent. */
  readonly skipped: number;
  readonly bytes: Buffer;
}

/** The next whole lines after an offset. If much has been written since, only the end of it. */
function readPiece(source: Source, { offset, before }: { offset: number; before: number }): Piece {
  const usual = readLines(source, { offset, before, maxBytes: CHUNK_BYTES });
  return usual.isLonger ? readLines(source, { offset, before, maxBytes: MAX_LINE_BYTES }) : usual;
}

interface ReadWish {
  readonly offset: number;
  readonly before: number;
  readonly maxBytes: number;
}

function readLines(source: Source, wish: ReadWish): Piece & { readonly isLonger: boolean } {
  const { path, isEnd, maxBytes: last = Number.MAX_SAFE_INTEGER } = source;
  const { offset, before, maxBytes } = wish;
  let [start, end] = [offset, 0];
  const range = readFileRange(path, (size) => {
    end = Math.min(size, last);
    // The agent may have emptied its log.
    if (start > end) start = 0;
    if (before > KEPT_BYTES && end - start > KEPT_BYTES + CHUNK_BYTES) start = end - KEPT_BYTES;
    return { start, end: Math.min(end, start + maxBytes) };
  });
  const bytes = range?.bytes ?? Buffer.alloc(0);
  const skipped = Math.max(0, start - offset);
  const isRest = isEnd && start + bytes.length >= end;
  const cut = isRest ? bytes.length : bytes.lastIndexOf(LINE_FEED) + 1;
  const isFull = cut === 0 && bytes.length === maxBytes;
  // A line without an end is cut if it is longer than any line should be.
  if (isFull && maxBytes === MAX_LINE_BYTES) return { start, skipped, bytes, isLonger: false };
  return { start, skipped, bytes: bytes.subarray(0, cut), isLonger: isFull };
}

/** An agent in a sandbox leaves its return next to its workspace. */
function findReturnFile(
  stateDirectory: string,
  delegation: Delegation | undefined,
  name: { readonly id: string; readonly attempt: number },
): string {
  const workspace = delegation?.workspace;
  const outbox = workspace?.isolation === "sandbox" ? join(dirname(workspace.path), "outbox") : undefined;
  return nameAttemptFiles(stateDirectory, { ...name, outbox }).returnFile;
}

function nameKey(id: string, attempt: number): string {
  return `${id}.${attempt}`;
}
