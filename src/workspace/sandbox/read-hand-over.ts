import { closeSync, fstatSync, readSync } from "node:fs";
import { join } from "node:path";
import { readErrorMessage } from "../../base/delegation-error.ts";
import { readRegularFile, readRegularText, openWithoutFollowing } from "../../base/files.ts";
import { workspaceErrors } from "../../errors/workspace.ts";
import { isObjectId } from "../git/read-head.ts";
import { splitAtZeros } from "../git/run-git.ts";

/** The output of a sandbox. None of it is trusted before it has been checked. */
export interface HandOver {
  readonly tip: string;
  readonly kept: readonly string[];
  /** The worker's commits could not be packed and were dropped. */
  readonly historyDropped: boolean;
  readonly pack: Buffer;
  /** Files that could not be stored. */
  readonly leftOut: readonly Buffer[];
}

const MAX_COMMITS = 2000;
const MAX_MANIFEST_BYTES = 200_000;

/** Reads the files of a hand-over as bytes; refuses links, pipes and files that are too large. */
export function readHandOver(folder: string, maxPackBytes: number): HandOver {
  const text = readRegularText(join(folder, "manifest"));
  if (text === undefined) throw workspaceErrors.handOverRefused("it left no list of its commits");
  const named = parseManifest(text);
  if (named === undefined) throw workspaceErrors.handOverRefused("the list of its commits is invalid");
  const leftOut = readRegularFile(join(folder, "left-out")) ?? Buffer.alloc(0);
  return { ...named, pack: readPackFile(join(folder, "pack"), maxPackBytes), leftOut: splitAtZeros(leftOut) };
}

/** `tip <id>`, then `history whole` or `history dropped`, then any number of `kept <id>`. */
function parseManifest(text: string): Omit<HandOver, "leftOut" | "pack"> | undefined {
  if (text.length > MAX_MANIFEST_BYTES || !text.endsWith("\n")) return undefined;
  const [first = "", history = "", ...rest] = text.slice(0, -1).split("\n");
  const tip = parseIdAfter("tip ", first);
  const kept = rest.map((line) => parseIdAfter("kept ", line)).filter((id) => id !== undefined);
  const isKnown = history === "history whole" || history === "history dropped";
  if (tip === undefined || !isKnown || kept.length !== rest.length || kept.length > MAX_COMMITS)
    return undefined;
  return { tip, kept, historyDropped: history === "history dropped" };
}

function parseIdAfter(word: string, line: string): string | undefined {
  const id = line.slice(word.length);
  return line.startsWith(word) && isObjectId(id) ? id : undefined;
}

function readPackFile(path: string, maxBytes: number): Buffer {
  const descriptor = openPlainFile(path);
  try {
    const stats = fstatSync(descriptor);
    if (!stats.isFile()) throw workspaceErrors.handOverRefused("its pack is not a plain file");
    if (stats.size > maxBytes)
      throw workspaceErrors.handOverRefused(
        `its pack has ${String(stats.size)} bytes, more than ${String(maxBytes)}`,
      );
    return readExactBytes(descriptor, stats.size);
  } finally {
    closeSync(descriptor);
  }
}

function openPlainFile(path: string): number {
  try {
    return openWithoutFollowing(path);
  } catch (error) {
    throw workspaceErrors.handOverRefused(`its pack cannot be opened (${readErrorMessage(error)})`, error);
  }
}

/** Reads exactly the size known at the start, even if the file grows meanwhile. */
function readExactBytes(descriptor: number, size: number): Buffer {
  const bytes = Buffer.alloc(size);
  let at = 0;
  while (at < size) {
    const got = readSync(descriptor, bytes, at, size - at, at);
    if (got === 0) throw workspaceErrors.handOverRefused("its pack became shorter while it was read");
    at += got;
  }
  return bytes;
}
