import { chmodSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { DatabaseSync } from "@photostructure/sqlite";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { defaultLimits } from "../../src/contract/limits.ts";
import { openReader } from "../../src/journal/open-reader.ts";
import { openStore } from "../../src/journal/open-store.ts";
import { storeFile } from "../../src/journal/store-file.ts";
import { rebuildStore } from "../../src/journal/rebuild-store.ts";
import { openForWriting } from "../../src/journal/sqlite/open-database.ts";
import { migrateForward, readVersion } from "../../src/journal/sqlite/open-database.ts";
import { migrations } from "../../src/journal/sqlite/schema.ts";
import { verifyJournal } from "../../src/journal/verify-journal.ts";
import { describeLateWords } from "./late-words.ts";
import { describeStore, type StoreFixture } from "./store-conformance.ts";

const create = (): StoreFixture => {
  const folder = mkdtempSync(join(tmpdir(), "ambit-store-"));
  let now = Date.parse("2026-01-20T10:30:00Z");
  const clock = { wallMs: () => now, monotonicMs: () => now };
  return {
    open: async () => openStore(join(folder, "ambit.db"), clock),
    remove: async () => rmSync(folder, { recursive: true, force: true }),
    advance: (milliseconds) => (now += milliseconds),
  };
};
describeStore("SQLite store", create);
describeLateWords("SQLite store", create);

describe("SQLite file", () => {
  let folder: string;
  let file: string;
  beforeEach(() => {
    folder = mkdtempSync(join(tmpdir(), "ambit-store-"));
    file = join(folder, "deep", "er", "ambit.db");
  });
  afterEach(() => rmSync(folder, { recursive: true, force: true }));

  const fill = async (stories = 3): Promise<void> => {
    const store = openStore(file);
    for (let index = 0; index < stories; index += 1) {
      const id = `US-${index}`;
      await store.openStory({ id, kind: "story", title: "t", agent: "claude", limits: defaultLimits });
      await store.begin(id, 1, { owner: "o", leaseMs: 1000, maxConcurrent: 9 });
      await store.admit({
        parent: id,
        parentAttempt: 1,
        requests: [{ description: "a" }, { description: "b;", isDirective: true }],
      });
    }
    await store.close();
  };
  const tamper = (sql: string): void => {
    const database = new DatabaseSync(file);
    database.exec(sql);
    database.close();
  };

  it("is in Ambit's own folder below the project's git folder", () => {
    expect(storeFile("/project")).toBe("/project/.git/ambit/ambit.db");
  });

  it("is durable on every open: WAL, FULL and a busy timeout, not the driver's defaults", async () => {
    for (const _ of ["first open", "second open"]) {
      const database = openForWriting(file);
      expect(database.row("PRAGMA journal_mode")?.get("journal_mode")).toBe("wal");
      expect(database.row("PRAGMA synchronous")?.get("synchronous")).toBe(2);
      expect(database.row("PRAGMA busy_timeout")?.get("timeout")).toBe(10_000);
      database.close();
    }
  });

  it("migrates step by step, each step once, and remembers its version", () => {
    const database = openForWriting(file);
    const known = readVersion(database);
    const steps = [...migrations, "CREATE TABLE later (x)", "INSERT INTO later VALUES (1)"];
    migrateForward(database, steps);
    migrateForward(database, steps);
    expect(readVersion(database)).toBe(known + 2);
    expect(database.number("SELECT count(*) AS value FROM later")).toBe(1);
    expect(() => migrateForward(database, [...steps, "INSERT INTO later VALUES (2); no sql"])).toThrow();
    expect(readVersion(database)).toBe(known + 2);
    expect(database.number("SELECT count(*) AS value FROM later")).toBe(1);
    database.close();
  });

  it("verifies a clean journal and knows its head (R122)", async () => {
    await fill();
    const store = openStore(file);
    const head = await store.head();
    await store.close();
    expect(verifyJournal(file)).toEqual({ events: head.seq, headHash: head.hash, differingProjections: [] });
  });

  it("names the first event whose text, hash, column or place was changed", async () => {
    const changes: readonly (readonly [string, number, string])[] = [
      [
        "UPDATE events SET body = replace(body, 'claude', 'clawde') WHERE seq = 1",
        1,
        "does not match its hash",
      ],
      ["UPDATE events SET hash = 'x' || substr(hash, 2) WHERE seq = 4", 4, "does not match its hash"],
      ["UPDATE events SET story = 'US-9' WHERE seq = 2", 2, "indexed column"],
      ["DELETE FROM events WHERE seq = 3", 3, "missing"],
      ["UPDATE events SET seq = 99 WHERE seq = 5", 5, "missing"],
    ];
    for (const [sql, seq, reason] of changes) {
      rmSync(folder, { recursive: true, force: true });
      await fill();
      tamper(sql);
      const verdict = verifyJournal(file);
      expect(verdict.firstBad?.seq).toBe(seq);
      expect(verdict.firstBad?.reason).toContain(reason);
    }
  });

  it("notices a changed byte in any event, tried at every seventh byte", async () => {
    await fill(1);
    const database = new DatabaseSync(file);
    const rows = database.prepare("SELECT seq, body FROM events").all();
    const change = database.prepare("UPDATE events SET body = ? WHERE seq = ?");
    for (const row of rows) {
      const { seq, body } = { seq: Number(row["seq"]), body: String(row["body"]) };
      for (let at = 0; at < body.length; at += 7) {
        const flipped = body.slice(0, at) + String.fromCharCode(body.charCodeAt(at) ^ 1) + body.slice(at + 1);
        change.run(flipped, seq);
        expect(verifyJournal(file).firstBad?.seq).toBe(seq);
      }
      change.run(body, seq);
    }
    database.close();
    expect(verifyJournal(file).firstBad).toBeUndefined();
  });

  it("names the projections that differ from a replay, and one rebuild makes them identical again", async () => {
    await fill();
    tamper("UPDATE delegations SET priority = 9 WHERE id = 'US-0'; DELETE FROM refusals");
    expect(verifyJournal(file).differingProjections).toEqual(["delegations", "refusals"]);
    expect(rebuildStore(file)).toBeGreaterThan(0);
    expect(verifyJournal(file).differingProjections).toEqual([]);
  });

  it("rebuilds projections of another version by itself", async () => {
    await fill();
    tamper(
      "UPDATE meta SET value = '0' WHERE name = 'projection_version'; DROP TABLE delegations; DROP TABLE tasks",
    );
    const store = openStore(file);
    expect(await store.storyTree("US-1")).toHaveLength(2);
    await store.close();
    expect(verifyJournal(file).differingProjections).toEqual([]);
  });

  it("refuses a store of a newer version without changing it", async () => {
    await fill();
    tamper("PRAGMA user_version = 99");
    expect(() => openStore(file)).toThrow(/version 99/);
    expect(() => openReader(file)).toThrow(/version 99/);
    expect(() => openStore(file)).toThrow(expect.objectContaining({ code: "STORE_TOO_NEW" }));
  });

  it("refuses a file that is not a store, and a folder it cannot create", async () => {
    const noStore = join(folder, "text.db");
    writeFileSync(noStore, "this is not a database, but it is long enough to be read as one".repeat(50));
    expect(() => openStore(noStore)).toThrow(expect.objectContaining({ code: "STORE_DAMAGED" }));
    writeFileSync(join(folder, "blocked"), "");
    expect(() => openStore(join(folder, "blocked", "ambit.db"))).toThrow(
      expect.objectContaining({ code: "STORE_UNUSABLE" }),
    );
  });

  it("can be read while a writer writes, and in a read-only folder; a missing one is not an error", async () => {
    expect(openReader(file)).toBeUndefined();
    await fill();
    const store = openStore(file);
    const reader = openReader(file);
    await store.openStory({ id: "LATE", kind: "story", title: "t", agent: "a", limits: defaultLimits });
    expect(await reader?.story("LATE")).toMatchObject({ id: "LATE" });
    await reader?.close();
    await store.close();
    chmodSync(join(folder, "deep", "er"), 0o500);
    const calm = openReader(file);
    expect(await calm?.stories(10)).toHaveLength(4);
    await calm?.close();
    chmodSync(join(folder, "deep", "er"), 0o700);
  });

  it("records 200 concurrent steps, each once", async () => {
    const store = openStore(file);
    await Promise.all(
      Array.from({ length: 200 }, (_, index) =>
        store.openStory({ id: `S-${index}`, kind: "story", title: "t", agent: "a", limits: defaultLimits }),
      ),
    );
    expect(await store.head()).toMatchObject({ seq: 200 });
    await store.close();
    expect(verifyJournal(file)).toMatchObject({ events: 200, differingProjections: [] });
  });
});
