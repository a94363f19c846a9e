import { mkdtempSync, rmSync } from "node:fs";
import { join } from "node:path";
import { getTemporaryFolder } from "../base/temporary-folder.ts";
import type { Checkpoint } from "./model/checkpoint.ts";
import { emptyChainHash } from "./model/hash-chain.ts";
import { copyCheckpoint } from "./sqlite/checkpoint-file.ts";
import { compareProjections } from "./sqlite/compare-projections.ts";
import type { Database } from "./sqlite/database.ts";
import { openForReading } from "./sqlite/open-database.ts";
import { openReplay, replayEvents } from "./sqlite/replay.ts";
import { type KnownEvent, verifyPage } from "./sqlite/verify-chain.ts";

export type { Checkpoint } from "./model/checkpoint.ts";
export type { KnownEvent } from "./sqlite/verify-chain.ts";

export interface ChainVerdict {
  readonly events: number;
  readonly headHash: string;
  /** The first event that was changed or is missing, if any. */
  readonly firstBad?: { readonly seq: number; readonly reason: string };
}

export interface JournalVerdict extends ChainVerdict {
  /** Projections that differ from a replay; only looked at when the chain holds. */
  readonly differingProjections: readonly string[];
  /** The number of events that were not replayed, because a checkpoint contains their result. */
  readonly checkpointEvents?: number;
}

/**
 * Recomputes every link of the chain and every projection, and looks for the event that is known to have been written.
 * With a checkpoint only the events after it are replayed; a changed checkpoint is reported like a projection that
 * differs. Reads in pages; writes nothing.
 */
export function verifyJournal(file: string, known?: KnownEvent, checkpoint?: Checkpoint): JournalVerdict {
  return withSnapshot(file, known, (database) => {
    const chain = followChain(database, known);
    if (chain.firstBad !== undefined) return { ...chain, differingProjections: [] };
    return { ...chain, ...verifyProjections(database, file, checkpoint) };
  });
}

/** Recomputes every link of the chain, without the projections. */
export function verifyChain(file: string): ChainVerdict {
  return withSnapshot(file, undefined, (database) => ({
    ...followChain(database, undefined),
    differingProjections: [],
  }));
}

/** One snapshot for everything; otherwise an event that arrives in between would look like a difference. */
function withSnapshot(
  file: string,
  known: KnownEvent | undefined,
  verify: (database: Database) => JournalVerdict,
): JournalVerdict {
  const database = openForReading(file);
  if (database === undefined)
    return { events: 0, headHash: emptyChainHash, differingProjections: [], ...findMissing(0, known) };
  try {
    database.execute("BEGIN");
    return verify(database);
  } finally {
    database.close();
  }
}

function followChain(database: Database, known: KnownEvent | undefined): ChainVerdict {
  let head = { seq: 0, hash: emptyChainHash };
  for (;;) {
    const page = verifyPage(database, head, { known });
    head = page.head;
    const verdict = { events: head.seq, headHash: head.hash };
    if (page.fault !== undefined) return { ...verdict, firstBad: page.fault };
    if (page.isLast) return { ...verdict, ...findMissing(head.seq, known) };
  }
}

/**
 * A shortened chain is as valid as a whole one; only an event that is known from elsewhere shows that its end is missing.
 */
function findMissing(events: number, known: KnownEvent | undefined): Pick<ChainVerdict, "firstBad"> {
  if (known === undefined || events >= known.events) return {};
  const reason = `it is missing; git knows that ${known.events} were written`;
  return { firstBad: { seq: events + 1, reason } };
}

type TableVerdict = Pick<JournalVerdict, "checkpointEvents" | "differingProjections">;

/** Replays into a temporary file; in memory, a large journal's projections would take too much room. */
function verifyProjections(
  database: Database,
  store: string,
  checkpoint: Checkpoint | undefined,
): TableVerdict {
  const folder = mkdtempSync(join(getTemporaryFolder(), "ambit-replay-"));
  try {
    const copy = join(folder, "copy.db");
    const state =
      checkpoint === undefined ? "unusable" : copyCheckpoint(database, checkpoint, { store, to: copy });
    if (state !== "sound") rmSync(copy, { force: true });
    const done = state === "sound" ? (checkpoint?.events ?? 0) : 0;
    replayInto(copy, database, done);
    const differing = compareProjections(database, copy);
    return {
      differingProjections: state === "changed" ? [...differing, "checkpoint"] : differing,
      ...(done === 0 ? {} : { checkpointEvents: done }),
    };
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

function replayInto(copy: string, database: Database, done: number): void {
  const target = openReplay(copy, { isNew: done === 0 });
  try {
    replayEvents(database, target, done);
    target.execute("COMMIT");
  } finally {
    target.close();
  }
}
