import { appendFileSync, existsSync, mkdirSync, truncateSync } from "node:fs";
import { join } from "node:path";
import * as z from "zod";
import { waitForExclusiveLock } from "../../base/exclusive-lock.ts";
import { readRegularText, writeFileAtomically } from "../../base/files.ts";
import { noteLineTime } from "../../containment/read-line-times.ts";
import type { AttemptName, Board, OutputChunk } from "../../journal/machines.ts";
import { nameAttemptFiles } from "../delegation/attempt-files.ts";

export interface ReceivedParts {
  readonly board: Pick<Board, "readOutput">;
  readonly stateDirectory: string;
  /** Called once with each piece, also if another process has written it down. */
  readonly tell?: (chunk: OutputChunk) => void;
}

/** The progress of the files of an attempt. */
const cursorSchema = z.strictObject({
  number: z.int(),
  /** Bytes of the attempt up to here, including those that were left out. */
  bytes: z.int(),
  files: z.record(z.string(), z.strictObject({ size: z.int(), lines: z.int() })),
});
type Cursor = z.output<typeof cursorSchema>;

const fileNames: ReadonlyMap<string, string> = new Map([
  ["stdout", "stdout"],
  ["stderr", "stderr"],
  ["prompt", "prompt.md"],
  ["return", "return.json"],
]);
const MAX_LOCK_MS = 10_000;

/**
 * Writes the output of agents on other machines into the files that it would be in if they had run here, so that every
 * reader of logs finds it. Several processes of this machine may do so at once.
 */
export class ReceivedOutput {
  readonly #parts: ReceivedParts;
  readonly #told = new Map<string, number>();

  constructor(parts: ReceivedParts) {
    this.#parts = parts;
  }

  /** Brings the new output of an attempt. An attempt that ran on this machine has its own files. */
  async bring(name: AttemptName): Promise<void> {
    const files = nameAttemptFiles(this.#parts.stateDirectory, {
      id: name.delegation,
      attempt: name.attempt,
    });
    if (existsSync(files.process)) return;
    const key = `${name.delegation}.${name.attempt}`;
    for (;;) {
      const written = readCursor(files.directory).number;
      const told = this.#told.get(key) ?? written;
      const chunks = await this.#parts.board.readOutput(name, Math.min(written, told));
      if (chunks.length === 0) return;
      if (!(await writeChunks(files.directory, chunks))) return;
      for (const chunk of chunks) if (chunk.number > told) this.#parts.tell?.(chunk);
      this.#told.set(key, Math.max(told, ...chunks.map(({ number }) => number)));
    }
  }

  /** Whether a piece was not announced yet. */
  isNew({ delegation, attempt }: AttemptName, number: number): boolean {
    return (this.#told.get(`${delegation}.${attempt}`) ?? 0) < number;
  }
}

/** A process that is killed here leaves bytes that the cursor does not count; the next one removes them. */
async function writeChunks(directory: string, chunks: readonly OutputChunk[]): Promise<boolean> {
  mkdirSync(directory, { recursive: true, mode: 0o700 });
  const lock = await waitForExclusiveLock(join(directory, "received.lock"), { maxWaitMs: MAX_LOCK_MS });
  if (lock === undefined) return false;
  try {
    const before = readCursor(directory);
    const after = chunks
      .filter(({ number }) => number > before.number)
      .reduce((cursor, chunk) => writeChunk(directory, cursor, chunk), before);
    if (after !== before) writeFileAtomically(join(directory, CURSOR), `${JSON.stringify(after)}\n`);
    return true;
  } finally {
    lock.release();
  }
}

function writeChunk(directory: string, cursor: Cursor, chunk: OutputChunk): Cursor {
  const { number, stream, before, text, atMs } = chunk;
  const bytes = before + Buffer.byteLength(text);
  const name = fileNames.get(stream);
  if (name === undefined) return { ...cursor, number, bytes };
  const path = join(directory, name);
  const { size, lines } = cursor.files[name] ?? { size: 0, lines: 0 };
  const content = describeGap(before - cursor.bytes) + text;
  if (existsSync(path)) truncateSync(path, size);
  appendFileSync(path, content, { mode: 0o600 });
  if (stream === "stdout" || stream === "stderr") noteLineTime(path, { line: lines + 1, atMs });
  const file = { size: size + Buffer.byteLength(content), lines: lines + content.split("\n").length - 1 };
  return { number, bytes, files: { ...cursor.files, [name]: file } };
}

function describeGap(missing: number): string {
  return missing > 0
    ? `[ambit left out ${missing} bytes here; the whole output is on the machine that ran this attempt]\n`
    : "";
}

const CURSOR = "received.json";
const nothing: Cursor = { number: 0, bytes: 0, files: {} };

function readCursor(directory: string): Cursor {
  const text = readRegularText(join(directory, CURSOR));
  if (text === undefined) return nothing;
  try {
    const read = cursorSchema.safeParse(JSON.parse(text));
    return read.success ? read.data : nothing;
  } catch {
    // The file was not written by us: everything is brought again.
    return nothing;
  }
}
