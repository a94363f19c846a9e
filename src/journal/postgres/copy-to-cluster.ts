import { clusterErrors } from "../../errors/cluster.ts";
import { emptyChainHash } from "../model/hash-chain.ts";
import type { Database } from "../sqlite/database.ts";
import { openForReading } from "../sqlite/open-database.ts";
import { readHead } from "../sqlite/read-head.ts";
import { readText } from "../sqlite/rows.ts";
import type { Head, RemoteJournal } from "./remote-journal.ts";

const BATCH = 500;

/** The head of this machine's journal, whether it is a store of its own or the tables of a cluster. */
export function readLocalHead(file: string): Head {
  return withReader(file, readHead) ?? { seq: 0, hash: emptyChainHash };
}

export function readHashAt(file: string, seq: number): string | undefined {
  return withReader(file, (database) => readEventHash(database, seq));
}

/** Copies the events that the cluster does not have; refuses a journal that has others. */
export async function copyToCluster(file: string, remote: RemoteJournal): Promise<void> {
  const database = openForReading(file);
  try {
    let after = (await remote.requireHead()).seq;
    const isBeginning =
      after === 0 ||
      (database !== undefined && (await remote.hashAt(after)) === readEventHash(database, after));
    if (!isBeginning) throw clusterErrors.notEmpty(remote.place, after);
    for (;;) {
      const events = database === undefined ? [] : readBatch(database, after);
      if (events.length === 0) return;
      await remote.lock(after);
      await remote.append({ after, events, leases: [], ended: [] });
      after += events.length;
    }
  } finally {
    database?.close();
  }
}

function readBatch(database: Database, after: number): readonly { body: string; hash: string }[] {
  return database
    .rows("SELECT body, hash FROM events WHERE seq > ? ORDER BY seq LIMIT ?", [after, BATCH])
    .map((row) => ({ body: readText(row, "body"), hash: readText(row, "hash") }));
}

function readEventHash(database: Database, seq: number): string {
  return database.text("SELECT hash AS value FROM events WHERE seq = ?", [seq]);
}

function withReader<Result>(file: string, read: (database: Database) => Result): Result | undefined {
  const database = openForReading(file);
  if (database === undefined) return undefined;
  try {
    return read(database);
  } finally {
    database.close();
  }
}
