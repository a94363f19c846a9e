import { mkdtempSync, rmSync, statSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, expect, it } from "vitest";
import { defaultLimits } from "../../src/contract/limits.ts";
import { openStore } from "../../src/journal/open-store.ts";
import { Database } from "../../src/journal/sqlite/database.ts";
import { keepRoom } from "../../src/journal/sqlite/reserve.ts";
import { verifyJournal } from "../../src/journal/verify-journal.ts";

const MIB = 1024 * 1024;

let folder: string;
let file: string;
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), "ambit-reserve-"));
  file = join(folder, "ambit.db");
});
afterEach(() => rmSync(folder, { recursive: true, force: true }));

const freeBytes = (database: Database): number =>
  Number(database.row("PRAGMA freelist_count")?.get("freelist_count")) * 4096;

it("reserves a megabyte in the store and another in its log, from the first story on", async () => {
  const store = openStore(file);
  await store.openStory({ id: "S", kind: "story", title: "t", agent: "a", limits: defaultLimits });
  const database = new Database(file, { readOnly: false });
  expect(freeBytes(database)).toBeGreaterThan(MIB - 100_000);
  // Blocks, not length: a hole would be no room.
  for (const name of [file, `${file}-wal`]) expect(statSync(name).blocks * 512).toBeGreaterThan(MIB);
  database.close();
  await store.close();
  expect(verifyJournal(file)).toMatchObject({ events: 1, differingProjections: [] });
});

it("restores the reserve after it was used, even if a kill left its temporary table behind", () => {
  const database = new Database(file, { readOnly: false });
  database.execute(
    "PRAGMA journal_mode = WAL; CREATE TABLE used (bytes BLOB); CREATE TABLE reserve (bytes BLOB)",
  );
  keepRoom(database);
  expect(freeBytes(database)).toBeGreaterThanOrEqual(MIB);
  expect(database.row("SELECT name FROM sqlite_schema WHERE name = 'reserve'")).toBeUndefined();
  const sizeBefore = statSync(file).size;
  database.execute("INSERT INTO used VALUES (randomblob(600000))");
  expect(freeBytes(database)).toBeLessThan(MIB);
  keepRoom(database);
  expect(freeBytes(database)).toBeGreaterThanOrEqual(MIB);
  expect(statSync(file).size).toBeLessThan(sizeBefore + 1.2 * MIB);
  const { ino, mtimeMs } = statSync(`${file}-wal`);
  keepRoom(database);
  expect(statSync(`${file}-wal`)).toMatchObject({ ino, mtimeMs });
  database.close();
});
