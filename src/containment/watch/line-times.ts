import { closeSync, constants, fstatSync, ftruncateSync, openSync, writeSync } from "node:fs";

/** Lines that come closer together share one time. */
const NOTE_EVERY_MS = 1000;

/**
 * Notes when lines of a log were written, in a file next to it: `line milliseconds`. Each time counts up to the next
 * note. Times are a convenience: if they cannot be written, there are none.
 */
export class LineTimes {
  readonly #path: string;
  readonly #wallMs: () => number;
  #descriptor: number | undefined;
  #isBroken = false;
  #lines = 0;
  #notedMs = Number.NEGATIVE_INFINITY;

  constructor(logPath: string, wallMs: () => number) {
    this.#path = nameTimesFile(logPath);
    this.#wallMs = wallMs;
  }

  /** Call it for every line. */
  noteLine(): void {
    this.#lines += 1;
    const nowMs = this.#wallMs();
    // A clock that was set back is noted as well.
    if (this.#isBroken || Math.abs(nowMs - this.#notedMs) < NOTE_EVERY_MS) return;
    this.#notedMs = nowMs;
    this.#tryFile((descriptor) => void writeSync(descriptor, `${this.#lines} ${Math.round(nowMs)}\n`));
  }

  /** Called when the log was emptied: its next line is the first one. */
  restart(): void {
    this.#lines = 0;
    this.#notedMs = Number.NEGATIVE_INFINITY;
    if (this.#descriptor !== undefined) this.#tryFile((descriptor) => ftruncateSync(descriptor, 0));
  }

  close(): void {
    if (this.#descriptor !== undefined) closeSync(this.#descriptor);
    this.#descriptor = undefined;
    this.#isBroken = true;
  }

  #tryFile(act: (descriptor: number) => void): void {
    try {
      this.#descriptor ??= openPlainFile(this.#path);
      act(this.#descriptor);
    } catch {
      this.close();
    }
  }
}

/** Notes the time of a line of a log that is copied. */
export function noteLineTime(
  logPath: string,
  { line, atMs }: { readonly line: number; readonly atMs: number },
): void {
  try {
    const descriptor = openPlainFile(nameTimesFile(logPath));
    writeSync(descriptor, `${line} ${Math.round(atMs)}\n`);
    closeSync(descriptor);
  } catch {
    // There are no times then.
  }
}

export function nameTimesFile(logPath: string): string {
  return `${logPath}.times`;
}

/** A worker of the same user could put a link or a pipe in its place. */
function openPlainFile(path: string): number {
  const { O_WRONLY, O_CREAT, O_APPEND, O_NOFOLLOW, O_NONBLOCK } = constants;
  const descriptor = openSync(path, O_WRONLY | O_CREAT | O_APPEND | O_NOFOLLOW | O_NONBLOCK, 0o600);
  if (fstatSync(descriptor).isFile()) return descriptor;
  closeSync(descriptor);
  throw new TypeError("not a plain file");
}
