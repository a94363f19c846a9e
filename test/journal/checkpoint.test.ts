import { createHash } from "node:crypto";
import {
  copyFileSync,
  cpSync,
  existsSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { basename, dirname, join } from "node:path";
import { DatabaseSync } from "@photostructure/sqlite";
import { afterAll, beforeAll, beforeEach, describe, expect, it } from "vitest";
import { defaultLimits } from "../../src/contract/limits.ts";
import {
  advanceCheckpoint,
  isCheckpointDue,
  removeOtherCheckpoints,
} from "../../src/journal/advance-checkpoint.ts";
import { openStore } from "../../src/journal/open-store.ts";
import { type Checkpoint, verifyJournal } from "../../src/journal/verify-journal.ts";

const usage = { inputTokens: 5, cachedTokens: 1, outputTokens: 2, microUsd: 7, source: "reported" } as const;

/** Enough for a checkpoint: two workers that report their use very often, a refusal and a message between them. */
async function addStory(file: string, id: string, reports: number): Promise<void> {
  const store = openStore(file);
  await store.openStory({ id, kind: "story", title: `"${id}" \n é`, agent: "claude", limits: defaultLimits });
  await store.begin(id, 1, { owner: "o", leaseMs: 1000, maxConcurrent: 9 });
  const requests = [{ description: "a" }, { description: "b;", isDirective: true }, { description: "c" }];
  await store.admit({ parent: id, parentAttempt: 1, requests });
  await Promise.all(Array.from({ length: reports }, () => store.spend(id, 1, usage)));
  await store.close();
}

describe("a checkpoint of the projections", () => {
  const original = mkdtempSync(join(tmpdir(), "ambit-checkpoint-"));
  const folder = mkdtempSync(join(tmpdir(), "ambit-checkpoint-"));
  const file = join(folder, "ambit.db");
  let checkpoint: Checkpoint;
  let known: { readonly events: number; readonly hash: string };

  beforeAll(async () => {
    const store = join(original, "ambit.db");
    await addStory(store, "US-1", 5200);
    const made = await advanceCheckpoint(store, undefined);
    if (made === undefined) throw new Error("no checkpoint was made");
    checkpoint = made;
    await addStory(store, "US-2", 300);
    const { events, headHash } = verifyJournal(store);
    known = { events, hash: headHash };
  });
  beforeEach(() => {
    rmSync(folder, { recursive: true, force: true });
    copyFolder(original, folder);
  });
  afterAll(() => {
    for (const path of [original, folder]) rmSync(path, { recursive: true, force: true });
  });

  const tamper = (sql: string, database = file): void => {
    const connection = new DatabaseSync(database);
    connection.exec(sql);
    connection.close();
  };
  const checkpointPath = (): string => `${file}.checkpoint-${checkpoint.digest.slice(0, 16)}`;
  const listCheckpoints = (): readonly string[] =>
    readdirSync(folder).filter((name) => name.includes("checkpoint"));

  it("stands in for the events that it covers, and an intact journal shows no differences (R122)", () => {
    expect(checkpoint.events).toBeGreaterThan(5000);
    expect(verifyJournal(file, known, checkpoint)).toEqual({
      events: known.events,
      headHash: known.hash,
      differingProjections: [],
      checkpointEvents: checkpoint.events,
    });
    expect(known.events).toBeGreaterThan(checkpoint.events + 300);
    expect(statSync(checkpointPath()).mode & 0o077).toBe(0);
  });

  it("hides no changed event, neither before nor after it", () => {
    for (const seq of [2, checkpoint.events - 1, checkpoint.events + 5]) {
      tamper(`UPDATE events SET body = replace(body, '"at":"2', '"at":"3') WHERE seq = ${seq}`);
      expect(verifyJournal(file, known, checkpoint).firstBad?.seq).toBe(seq);
      tamper(`UPDATE events SET body = replace(body, '"at":"3', '"at":"2') WHERE seq = ${seq}`);
    }
    tamper("UPDATE events SET delegation = 'US-9' WHERE seq = 700");
    expect(verifyJournal(file, known, checkpoint).firstBad).toEqual({
      seq: 700,
      reason: "an indexed column does not match the stored text",
    });
  });

  it("hides no changed, added or deleted row, neither of a story before it nor of one after it", () => {
    const changes = [
      ["UPDATE delegations SET spent_micro = spent_micro - 1 WHERE id = 'US-1'", "delegations"],
      ["UPDATE delegations SET summary = 'all done' WHERE id = 'US-2-DEL-001'", "delegations"],
      ["DELETE FROM refusals WHERE story = 'US-1'", "refusals"],
      ["INSERT INTO task_changes (change, seq) VALUES ('x', 1)", "task_changes"],
      ["UPDATE stories SET settings = '' WHERE id = 'US-1'", "stories"],
    ] as const;
    for (const [sql, table] of changes) {
      copyFolder(original, folder);
      tamper(sql);
      expect(verifyJournal(file, known, checkpoint).differingProjections, sql).toEqual([table]);
    }
  });

  it("is reported if it was changed together with a row, and the row is reported, too", () => {
    const lie = "UPDATE delegations SET spent_micro = 0 WHERE id = 'US-1'";
    tamper(lie);
    tamper(lie, checkpointPath());
    expect(verifyJournal(file, known, checkpoint)).toMatchObject({
      differingProjections: ["delegations", "checkpoint"],
    });
  });

  it("is reported if only the checkpoint was changed, and is not continued", async () => {
    tamper("UPDATE delegations SET spent_micro = 0 WHERE id = 'US-1'", checkpointPath());
    expect(verifyJournal(file, known, checkpoint).differingProjections).toEqual(["checkpoint"]);
    await addStory(file, "US-3", 5000);
    expect(await advanceCheckpoint(file, checkpoint)).toBeUndefined();
  });

  it("hides a changed row if its noted digest was forged as well, until the whole journal is replayed (control)", () => {
    const lie = "UPDATE delegations SET spent_micro = 0 WHERE id = 'US-1'";
    tamper(lie);
    tamper(lie, checkpointPath());
    const forged = forgeNote(checkpointPath(), checkpoint);
    expect(verifyJournal(file, known, forged).differingProjections).toEqual([]);
    expect(verifyJournal(file, known).differingProjections).toEqual(["delegations"]);
  });

  it("hides no missing events at the end of the journal", () => {
    tamper(`DELETE FROM events WHERE seq > ${checkpoint.events}`);
    expect(verifyJournal(file, known, checkpoint).firstBad).toEqual({
      seq: checkpoint.events + 1,
      reason: `it is missing; git knows that ${known.events} were written`,
    });
    tamper(`DELETE FROM events WHERE seq > ${checkpoint.events - 10}`);
    expect(verifyJournal(file, known, checkpoint).firstBad?.seq).toBe(checkpoint.events - 9);
  });

  it("is not used if its file is missing, its last event differs, or its projections have another version", () => {
    const older = join(folder, "older");
    copyFileSync(checkpointPath(), older);
    tamper("PRAGMA user_version = 1", older);
    const outdated = forgeNote(older, checkpoint);
    const unused = { differingProjections: [] };
    expect(verifyJournal(file, known, outdated)).toMatchObject(unused);
    expect(verifyJournal(file, known, outdated).checkpointEvents).toBeUndefined();
    const other = { ...checkpoint, hash: "0".repeat(64) };
    expect(verifyJournal(file, known, other).checkpointEvents).toBeUndefined();
    rmSync(checkpointPath());
    expect(verifyJournal(file, known, checkpoint)).toMatchObject(unused);
    expect(verifyJournal(file, known, checkpoint).checkpointEvents).toBeUndefined();
  });

  it("continues the last one in rounds, and agrees with the journal like one that was made at once", async () => {
    await addStory(file, "US-3", 5000);
    const next = await advanceCheckpoint(file, checkpoint, 1000);
    expect(next?.events).toBe(checkpoint.events + 1000);
    const whole = await advanceCheckpoint(file, undefined);
    const store = openStore(file);
    expect(whole).toMatchObject({ events: (await store.head()).seq });
    await store.close();
    for (const used of [checkpoint, next, whole])
      expect(verifyJournal(file, undefined, used)).toMatchObject({
        differingProjections: [],
        checkpointEvents: used?.events,
      });
    removeOtherCheckpoints(file, whole);
    expect(listCheckpoints()).toHaveLength(1);
    expect(existsSync(checkpointPath())).toBe(false);
    expect(verifyJournal(file, undefined, whole).checkpointEvents).toBe(whole?.events);
  });

  it("is not made from a journal with a changed event", async () => {
    tamper('UPDATE events SET body = replace(body, \'"at":"2\', \'"at":"3\') WHERE seq = 2');
    expect(await advanceCheckpoint(file, undefined)).toBeUndefined();
    expect(listCheckpoints()).toEqual([basename(checkpointPath())]);
  });

  it("is due after a number of new events in small journals, and after a share of all events in large ones", () => {
    expect([isCheckpointDue(4999, 0), isCheckpointDue(5000, 0)]).toEqual([false, true]);
    expect([isCheckpointDue(1_000_000, 985_000), isCheckpointDue(1_000_000, 980_000)]).toEqual([false, true]);
  });

  it("ignores row numbers that differ from those of a replay", () => {
    tamper("UPDATE refusals SET seq = seq; UPDATE delegations SET rowid = rowid + 1000");
    expect(verifyJournal(file, known, checkpoint).differingProjections).toEqual([]);
  });
});

function copyFolder(from: string, to: string): void {
  rmSync(to, { recursive: true, force: true });
  cpSync(from, to, { recursive: true });
}

/** Gives a file the place and the note of a checkpoint, as somebody could who can write to the repository. */
function forgeNote(path: string, checkpoint: Checkpoint): Checkpoint {
  const forged = { ...checkpoint, digest: createHash("sha256").update(readFileSync(path)).digest("hex") };
  copyFileSync(path, join(dirname(path), `ambit.db.checkpoint-${forged.digest.slice(0, 16)}`));
  return forged;
}
