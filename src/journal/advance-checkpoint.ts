import { closeSync, constants, fsyncSync, openSync, readdirSync, renameSync, rmSync } from "node:fs";
import { basename, dirname, join } from "node:path";
import { setImmediate as breathe } from "node:timers/promises";
import { makePrivateFile } from "../base/files.ts";
import type { Checkpoint } from "./model/checkpoint.ts";
import { emptyChainHash } from "./model/hash-chain.ts";
import { checkpointFile, checkpointPrefix, copyCheckpoint, digestFile } from "./sqlite/checkpoint-file.ts";
import type { Database } from "./sqlite/database.ts";
import { openForReading } from "./sqlite/open-database.ts";
import { readHead } from "./sqlite/read-head.ts";
import { openReplay, replayPage } from "./sqlite/replay.ts";
import { projectionVersion } from "./sqlite/schema.ts";
import { type ChainHead, verifyPage } from "./sqlite/verify-chain.ts";

/** A journal with fewer new events is replayed in a moment. */
const MIN_NEW_EVENTS = 5000;
/** The part of a journal that may be new: making a checkpoint costs as much as the projections are large. */
const NEW_SHARE = 0.02;
/** A supervisor that wants to leave waits until the current round ends. */
const MAX_ROUND_EVENTS = 50_000;
/** A page takes a few milliseconds, and other users of the store wait no longer than that. */
const PAGE = 100;

/** Whether enough events have come since the last checkpoint for a new one. */
export function isCheckpointDue(events: number, last: number): boolean {
  return events - last >= Math.max(MIN_NEW_EVENTS, events * NEW_SHARE);
}

/**
 * Makes a checkpoint that covers more events than the current one and returns it; returns undefined if none is due. It
 * replays at most `maxEvents` events. A current checkpoint that was changed is not continued: `ambit audit --verify`
 * reports it until a person rebuilds everything.
 */
export async function advanceCheckpoint(
  file: string,
  current: Checkpoint | undefined,
  maxEvents: number = MAX_ROUND_EVENTS,
): Promise<Checkpoint | undefined> {
  const database = openForReading(file);
  if (database === undefined) return undefined;
  const beside = `${checkpointPrefix(file)}new-${process.pid}`;
  try {
    const head = readHead(database);
    if (!isCheckpointDue(head.seq, 0)) return undefined;
    makeEmpty(beside);
    const start = findStart(database, current, { store: file, to: beside });
    if (start === undefined || !isCheckpointDue(head.seq, start.seq)) return undefined;
    const until = Math.min(head.seq, start.seq + maxEvents);
    const reached = await replayOnto(beside, database, { start, until });
    if (reached === undefined) return undefined;
    sync(beside);
    const checkpoint = { events: reached.seq, hash: reached.hash, digest: digestFile(beside) };
    renameSync(beside, checkpointFile(file, checkpoint));
    return checkpoint;
  } finally {
    database.close();
    rmSync(beside, { force: true });
  }
}

/** Removes all checkpoints except the one in use; without one in use, all of them. */
export function removeOtherCheckpoints(file: string, used?: Checkpoint): void {
  const kept = used === undefined ? undefined : checkpointFile(file, used);
  const names = readdirSync(dirname(file)).filter((name) =>
    name.startsWith(basename(checkpointPrefix(file))),
  );
  for (const path of names.map((name) => join(dirname(file), name)))
    if (path !== kept) rmSync(path, { force: true });
}

/** Returns the event from which to continue: the one after the current checkpoint, or the first one. */
function findStart(
  database: Database,
  current: Checkpoint | undefined,
  files: { readonly store: string; readonly to: string },
): ChainHead | undefined {
  const state = current === undefined ? "unusable" : copyCheckpoint(database, current, files);
  if (state === "changed") return undefined;
  if (state === "sound" && current !== undefined) return { seq: current.events, hash: current.hash };
  makeEmpty(files.to);
  return { seq: 0, hash: emptyChainHash };
}

function makeEmpty(file: string): void {
  rmSync(file, { force: true });
  makePrivateFile(file, { isCreated: true });
}

/** Returns undefined if the journal was changed. */
async function replayOnto(
  file: string,
  database: Database,
  { start, until }: { readonly start: ChainHead; readonly until: number },
): Promise<ChainHead | undefined> {
  const target = openReplay(file, { isNew: start.seq === 0 });
  try {
    let head = start;
    while (head.seq < until) {
      const limit = Math.min(PAGE, until - head.seq);
      const page = verifyPage(database, head, { limit });
      if (page.fault !== undefined || page.head.seq === head.seq) return undefined;
      replayPage(database, target, { after: head.seq, limit });
      head = page.head;
      await breathe();
    }
    target.execute(`COMMIT; PRAGMA user_version = ${projectionVersion}`);
    return head;
  } finally {
    target.close();
  }
}

/** After a power loss the file must be whole or missing; half a file would look like a changed checkpoint. */
function sync(file: string): void {
  const descriptor = openSync(file, constants.O_RDWR);
  try {
    fsyncSync(descriptor);
  } finally {
    closeSync(descriptor);
  }
}
