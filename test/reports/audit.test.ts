import { expect, it } from "vitest";
import { buildAuditDocument, buildAuditList } from "../../src/reports/audit.ts";
import { FakeClock, fillSeedStory, openStory } from "./fill-store.ts";
import { temporaryStore } from "./temporary-store.ts";

it("lists events with number, time, type, subject and hash (R122)", async () => {
  const clock = new FakeClock();
  const store = temporaryStore(clock);
  await fillSeedStory(store, clock);
  const entries = buildAuditList(await store.newestEvents(100));
  const head = await store.head();
  expect(entries).toHaveLength(head.seq);
  expect(entries.at(-1)).toMatchObject({
    seq: head.seq,
    at: "2026-01-20T10:45:00.000Z",
    type: "delegation-closed",
    about: "US-007-DEL-003",
    attempt: 1,
    detail: "completed",
    hash: head.hash,
  });
  expect(entries[0]).toMatchObject({ type: "story-opened", about: "US-007", detail: "Add authentication" });
});

it("names the codes of a refusal (R95)", async () => {
  const store = temporaryStore();
  await openStory(store, "US-1", "Story");
  const requests = [{ description: "again", agent: "orchestrator" }];
  await store.admit({ parent: "US-1", parentAttempt: 1, requests });
  const [entry] = buildAuditList(await store.newestEvents(1));
  expect(entry).toMatchObject({
    type: "delegation-refused",
    about: "US-1",
    detail: "CYCLE_DETECTED: again",
  });
});

it("passes the stored event on unchanged, with its hash", async () => {
  const store = temporaryStore();
  await openStory(store, "US-1", "Story");
  const events = await store.newestEvents(1);
  const [document] = buildAuditList(events).map(buildAuditDocument);
  expect(document).toStrictEqual({ ...JSON.parse(events[0]?.body ?? ""), hash: events[0]?.hash });
});

it("lists the newest events in order, of one story or delegation on request", async () => {
  const clock = new FakeClock();
  const store = temporaryStore(clock);
  await openStory(store, "US-1", "Other");
  await fillSeedStory(store, clock);
  const head = await store.head();
  const newest = await store.newestEvents(3);
  expect(newest.map(({ seq }) => seq)).toStrictEqual([head.seq - 2, head.seq - 1, head.seq]);
  const other = buildAuditList(await store.newestEvents(100, { story: "US-1" }));
  expect(other.map(({ type }) => type)).toStrictEqual(["story-opened", "attempt-started"]);
  const one = buildAuditList(await store.newestEvents(2, { delegation: "US-007-DEL-001" }));
  expect(one.map(({ type }) => type)).toStrictEqual(["delegation-merged", "delegation-closed"]);
});

it("still lists an event whose text is damaged", () => {
  const entries = buildAuditList([{ seq: 7, body: "{", hash: "ab" }]);
  expect(entries).toMatchObject([{ seq: 7, type: "", about: "", detail: "", hash: "ab" }]);
});
