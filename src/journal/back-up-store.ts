import { copyFileSync, existsSync, renameSync, rmSync } from "node:fs";
import { readErrorMessage } from "../base/delegation-error.ts";
import { makePrivateFile } from "../base/files.ts";
import { Database } from "./sqlite/database.ts";
import { verifyChain } from "./verify-journal.ts";

/** The newest copy of a store that was found sound. */
export function backupFile(file: string): string {
  return `${file}.backup`;
}

/**
 * Brings everything from the log into the store's own file and keeps a copy of it, so that a damaged or deleted store can be
 * repaired. A copy that is not sound replaces nothing, and neither does that of a store which began again without the
 * events of the backup. The caller owns the project.
 */
export function backUpStore(file: string): "another" | "kept" | "unchanged" | "unsound" {
  if (!existsSync(file)) return "unchanged";
  const head = checkpoint(file);
  const backup = backupFile(file);
  const before = existsSync(backup) ? readHead(backup) : "";
  if (before !== "" && before === head) return "unchanged";
  if (isBackupOfAnother(file)) return "another";
  const beside = `${backup}.new`;
  try {
    rmSync(beside, { force: true });
    makePrivateFile(beside, { isCreated: true });
    copyFileSync(file, beside);
    if (!isSound(beside) || readHead(beside) !== head) return "unsound";
    renameSync(beside, backup);
    return "kept";
  } finally {
    for (const name of [beside, `${beside}-wal`, `${beside}-shm`]) rmSync(name, { force: true });
  }
}

/** Whether a store does not have the newest event of its backup, because it began again or is an older copy. */
export function isBackupOfAnother(file: string): boolean {
  const backup = backupFile(file);
  if (!existsSync(backup)) return false;
  const seq = withReader(backup, (database) => database.number("SELECT max(seq) AS value FROM events")) ?? 0;
  const own = withReader(file, (database) =>
    database.row("SELECT hash FROM events WHERE seq = ?", [seq])?.get("hash"),
  );
  return seq > 0 && own !== readHead(backup);
}

function checkpoint(file: string): string {
  const database = new Database(file, { readOnly: false });
  try {
    database.execute("PRAGMA wal_checkpoint(FULL)");
    return queryHead(database);
  } finally {
    database.close();
  }
}

function readHead(file: string): string {
  return withReader(file, queryHead) ?? "";
}

function queryHead(database: Database): string {
  return database.text("SELECT hash AS value FROM events ORDER BY seq DESC LIMIT 1");
}

/** SQLite notices damaged pages, but not a changed text within one: the chain of events shows that. */
function isSound(file: string): boolean {
  const isReadable = withReader(
    file,
    (database) => database.row("PRAGMA quick_check(1)")?.get("quick_check") === "ok",
  );
  return isReadable === true && findBrokenEvent(file) === undefined;
}

/** Returns what is wrong with the first event of a store that is not what was written. */
export function findBrokenEvent(file: string): string | undefined {
  try {
    const { firstBad } = verifyChain(file);
    return firstBad === undefined ? undefined : `event ${firstBad.seq}: ${firstBad.reason}`;
  } catch (error) {
    return readErrorMessage(error);
  }
}

/** Returns undefined if the file cannot be read at all. */
function withReader<Result>(file: string, read: (database: Database) => Result): Result | undefined {
  try {
    const database = new Database(file, { readOnly: true });
    try {
      return read(database);
    } finally {
      database.close();
    }
  } catch {
    return undefined;
  }
}
