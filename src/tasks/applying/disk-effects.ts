import {
  chmodSync,
  closeSync,
  fsyncSync,
  mkdirSync,
  openSync,
  realpathSync,
  renameSync,
  rmSync,
  statSync,
  writeSync,
} from "node:fs";
import { basename, dirname, join } from "node:path";
import { randomBase36 } from "../../base/ids.ts";
import type { TaskEffects } from "../model/ports.ts";

export const diskEffects: TaskEffects = {
  write: writeAtomically,
  move: (from, to) => {
    mkdirSync(dirname(to), { recursive: true });
    renameSync(from, to);
    syncFolder(dirname(to));
    syncFolder(dirname(from));
  },
  remove: (file) => {
    rmSync(file, { force: true });
    syncFolder(dirname(file));
  },
};

/** A link is followed, so that it stays one. */
function writeAtomically(file: string, text: string): void {
  mkdirSync(dirname(file), { recursive: true });
  const target = resolved(file);
  const mode = statSync(target, { throwIfNoEntry: false })?.mode;
  const beside = join(dirname(target), `.${basename(target)}.${process.pid}-${randomBase36(6)}`);
  try {
    writeWhole(beside, text);
    if (mode !== undefined) chmodSync(beside, mode % 0o10000);
    renameSync(beside, target);
  } catch (error) {
    rmSync(beside, { force: true });
    throw error;
  }
  syncFolder(dirname(target));
}

function writeWhole(file: string, text: string): void {
  const descriptor = openSync(file, "wx", 0o666);
  try {
    const bytes = Buffer.from(text, "utf8");
    let written = 0;
    while (written < bytes.length) written += writeSync(descriptor, bytes, written);
    fsyncSync(descriptor);
  } finally {
    closeSync(descriptor);
  }
}

function resolved(file: string): string {
  return statSync(file, { throwIfNoEntry: false }) === undefined ? file : realpathSync(file);
}

function syncFolder(folder: string): void {
  const descriptor = openSync(folder, "r");
  try {
    fsyncSync(descriptor);
  } finally {
    closeSync(descriptor);
  }
}
