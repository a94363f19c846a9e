import { closeSync, constants, fstatSync, ftruncate, mkdirSync, openSync } from "node:fs";
import { join } from "node:path";
import { promisify } from "node:util";
import type { OutputStream } from "../launcher/contained-process.ts";

const cut = promisify(ftruncate);

export const outputStreams: readonly OutputStream[] = ["stdout", "stderr"];

interface Watched {
  readonly path: string;
  readonly descriptor: number;
  lastSize: number;
}

/**
 * The two files an agent writes to. They are files and not pipes, so that nothing is lost if the agent ends abruptly
 * or we die, and a slow reader never blocks it.
 */
export class OutputFiles {
  readonly #files: Readonly<Record<OutputStream, Watched>>;
  #writtenBytes = 0;

  constructor(directory: string) {
    makeLogFolder(directory);
    this.#files = {
      stdout: openLogFile(join(directory, "stdout")),
      stderr: openLogFile(join(directory, "stderr")),
    };
  }

  getPath(stream: OutputStream): string {
    return this.#files[stream].path;
  }

  getDescriptor(stream: OutputStream): number {
    return this.#files[stream].descriptor;
  }

  /** Everything written since launch, including what was truncated since. */
  get writtenBytes(): number {
    return this.#writtenBytes;
  }

  /** Measures both sizes; true if anything was written since the last call. */
  measureGrowth(): boolean {
    const before = this.#writtenBytes;
    for (const stream of outputStreams) {
      const file = this.#files[stream];
      const { size } = fstatSync(file.descriptor);
      // The file is smaller than before: it was emptied, so all of its content is new.
      this.#writtenBytes += size >= file.lastSize ? size - file.lastSize : size;
      file.lastSize = size;
    }
    return this.#writtenBytes > before;
  }

  /**
   * Call it after a flood: truncates the files so that together they hold at most `maxBytes`, the smaller one
   * complete.
   */
  async truncateTo(maxBytes: number): Promise<void> {
    const [small, large] = outputStreams
      .map((stream) => this.#files[stream])
      .toSorted((left, right) => left.lastSize - right.lastSize);
    if (small === undefined || large === undefined) return;
    const keptSmall = Math.min(fstatSync(small.descriptor).size, Math.floor(maxBytes / 2));
    await truncateFile(small, keptSmall);
    await truncateFile(large, maxBytes - keptSmall);
  }

  close(): void {
    for (const stream of outputStreams) closeSync(this.#files[stream].descriptor);
  }
}

/**
 * One level is made first, because Node reports a read-only file system as a missing folder if it is asked for several.
 */
function makeLogFolder(path: string): void {
  try {
    mkdirSync(path, { mode: 0o700 });
  } catch (error) {
    if (!hasCode(error, "ENOENT") && !hasCode(error, "EEXIST")) throw error;
    mkdirSync(path, { recursive: true, mode: 0o700 });
  }
}

function hasCode(error: unknown, code: string): boolean {
  return error instanceof Error && "code" in error && error.code === code;
}

function openLogFile(path: string): Watched {
  // Append mode: after `> /dev/stdout` inside the agent, the next line goes to the start, not behind a hole.
  const flags = constants.O_WRONLY | constants.O_CREAT | constants.O_APPEND | constants.O_NOFOLLOW;
  const descriptor = openSync(path, flags, 0o600);
  return { path, descriptor, lastSize: fstatSync(descriptor).size };
}

/** It runs in another thread: freeing a hundred megabytes can take the file system a while. */
async function truncateFile(file: Watched, maxBytes: number): Promise<void> {
  if (fstatSync(file.descriptor).size > maxBytes) await cut(file.descriptor, maxBytes);
}
