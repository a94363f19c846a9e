import { closeSync, constants, fstatSync, openSync, readSync, type Stats } from "node:fs";
import { Socket } from "node:net";
import { resolve } from "node:path";
import type { Readable } from "node:stream";
import { isatty } from "node:tty";
import type { StandardInput } from "../terminal/terminal.ts";
import type { CommandContext } from "./command-module.ts";
import { readErrorCode } from "../../base/delegation-error.ts";
import { needsPipe, unreadable } from "./input-error.ts";

export interface Input {
  /** How messages call it: the path as given, or `standard input`. */
  readonly name: string;
  /** One byte more than the cap when there was more than the cap. */
  readonly bytes: Uint8Array;
}

export type InputContext = Pick<CommandContext, "directory" | "stdin">;

/** The most text a command reads unless it has its own cap. */
const textMaxBytes = 16 * 1024 * 1024;

/** The text of a file or, for `-`, of standard input; more than the cap is refused. */
export async function readInputText(
  argument: string,
  context: InputContext,
  maxBytes: number = textMaxBytes,
): Promise<string> {
  const { name, bytes } = await readInput(argument, context, maxBytes);
  if (bytes.length > maxBytes) throw unreadable(name, `is larger than ${maxBytes} bytes`);
  return new TextDecoder().decode(bytes);
}

/**
 * Reads at most `maxBytes + 1` bytes of a file or, for `-`, of standard input.
 * Refuses what would wait for ever: a terminal, or a named pipe without a writer.
 */
export async function readInput(argument: string, context: InputContext, maxBytes: number): Promise<Input> {
  if (argument === "-") return readStandardInput(context.stdin(), maxBytes);
  return { name: argument, bytes: await readFile(argument, context.directory, maxBytes) };
}

async function readStandardInput(stdin: StandardInput, maxBytes: number): Promise<Input> {
  const name = "standard input";
  if (stdin.isTTY === true) throw needsPipe(name);
  // Node gives an empty stream for a directory, as if there were nothing to read.
  if (stdin.fd !== undefined && fstatSync(stdin.fd).isDirectory()) throw unreadable(name, "is a directory");
  return { name, bytes: await readStream(stdin, { name, maxBytes }) };
}

/** The descriptor is judged after opening, so what was checked is what is read. */
async function readFile(name: string, directory: string, maxBytes: number): Promise<Uint8Array> {
  const descriptor = openWithoutWaiting(name, directory);
  let isOwned = true;
  try {
    const stats = fstatSync(descriptor);
    refuseUnreadable(name, stats, descriptor);
    if (!stats.isFIFO()) return readDescriptor(descriptor, { name, maxBytes });
    const start = readPipeStart(descriptor, { name, maxBytes });
    if (start.length > maxBytes) return start;
    isOwned = false;
    const rest = new Socket({ fd: descriptor, readable: true, writable: false });
    return await readStream(rest, { name, maxBytes }, start);
  } finally {
    // A socket closes its descriptor itself.
    if (isOwned) closeSync(descriptor);
  }
}

/** Without O_NONBLOCK, opening a named pipe waits until somebody opens its other end. */
function openWithoutWaiting(name: string, directory: string): number {
  try {
    return openSync(resolve(directory, name), constants.O_RDONLY | constants.O_NONBLOCK);
  } catch (error) {
    throw unreadable(name, error);
  }
}

function refuseUnreadable(name: string, stats: Stats, descriptor: number): void {
  if (stats.isDirectory()) throw unreadable(name, "is a directory");
  if (isatty(descriptor)) throw needsPipe(name);
}

interface Source {
  readonly name: string;
  readonly maxBytes: number;
}

const PIECE_BYTES = 64 * 1024;

function readDescriptor(descriptor: number, { name, maxBytes }: Source): Uint8Array {
  const pieces: Buffer[] = [];
  let size = 0;
  try {
    while (size <= maxBytes) {
      const piece = Buffer.allocUnsafe(Math.min(PIECE_BYTES, maxBytes + 1 - size));
      const length = readSync(descriptor, piece);
      if (length === 0) break;
      pieces.push(piece.subarray(0, length));
      size += length;
    }
  } catch (error) {
    throw unreadable(name, error);
  }
  return Buffer.concat(pieces, size);
}

/** Waiting for a pipe that never had a writer would never end, so the first read does not wait. */
function readPipeStart(descriptor: number, { name, maxBytes }: Source): Buffer {
  const piece = Buffer.allocUnsafe(Math.min(PIECE_BYTES, maxBytes + 1));
  try {
    const length = readSync(descriptor, piece);
    if (length > 0) return piece.subarray(0, length);
  } catch (error) {
    if (readErrorCode(error) === "EAGAIN") return Buffer.alloc(0);
    throw unreadable(name, error);
  }
  throw unreadable(name, "is a pipe without a writer");
}

/** Leaving the loop early destroys the stream, so an endless one does not keep the process alive. */
async function readStream(
  stream: Readable,
  { name, maxBytes }: Source,
  start: Buffer = Buffer.alloc(0),
): Promise<Uint8Array> {
  const pieces = [start];
  let size = start.length;
  try {
    for await (const piece of stream) {
      if (!(piece instanceof Uint8Array)) throw new TypeError("it gives text, not bytes");
      pieces.push(Buffer.from(piece));
      size += piece.length;
      if (size > maxBytes) break;
    }
  } catch (error) {
    throw unreadable(name, error);
  }
  return Buffer.concat(pieces, Math.min(size, maxBytes + 1));
}
