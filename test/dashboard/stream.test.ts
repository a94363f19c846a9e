import { renameSync } from "node:fs";
import { expect, it, onTestFinished } from "vitest";
import { openStore } from "../../src/journal/open-store.ts";
import { storeFile } from "../../src/journal/store-file.ts";
import type { Store } from "../../src/journal/store.ts";
import { until } from "../e2e/project.ts";
import { listenTo, type Listening, type StreamPlace } from "./listen-stream.ts";
import { serveProject, temporaryProject, type Served } from "./served-project.ts";
import { openRun, writeNotes, writeSteadily } from "./write-events.ts";
import { ownStoreFile } from "../own-store-file.ts";

interface Scene {
  readonly served: Served;
  readonly store: Store;
  readonly listen: (place?: Omit<StreamPlace, "port" | "cookie">) => Promise<Listening>;
}

async function openScene(): Promise<Scene> {
  const root = temporaryProject();
  const store = openStore(ownStoreFile(root));
  onTestFinished(() => store.close());
  const served = await serveProject(root);
  const cookie = await served.signIn();
  const listen = async (place = {}): Promise<Listening> => {
    const listening = await listenTo({ port: served.port, cookie, ...place });
    onTestFinished(() => listening.close());
    return listening;
  };
  return { served, store, listen };
}

async function journalNumbers(store: Store, after = 0): Promise<readonly number[]> {
  const { events } = await store.eventsAfter(after, 1_000_000);
  return events.map(({ seq }) => seq);
}

it("sends every event once and in order, from the requested number (R182)", async () => {
  const { store, listen } = await openScene();
  const workers = await openRun(store, "S-1", ["a", "b"]);
  const listening = await listen({ query: "?after=0" });
  await writeNotes(store, workers, 1200);
  const wanted = await journalNumbers(store);
  await until("all were told", () => listening.numbers().length >= wanted.length);
  expect(listening.numbers()).toEqual(wanted);
  expect(listening.lastId()).toBe(String(wanted.at(-1)));
});

it("after any disconnect the browser gets exactly what it missed", async () => {
  const { store, listen } = await openScene();
  const workers = await openRun(store, "S-1", ["a", "b", "c"]);
  const seen: number[] = [];
  let lastEventId = "0";
  for (let round = 0; round < 8; round += 1) {
    const listening = await listen({ query: "?after=3", lastEventId });
    const writing = writeNotes(store, workers, 150 + round * 70);
    await until("something came", () => listening.batches.length > 0);
    listening.close();
    await listening.ended;
    seen.push(...listening.numbers());
    lastEventId = listening.lastId();
    await writing;
  }
  const last = await listen({ lastEventId });
  const wanted = await journalNumbers(store);
  await until("the rest came", () => seen.length + last.numbers().length >= wanted.length);
  expect([...seen, ...last.numbers()]).toEqual(wanted);
});

it("a listener of one story gets no events of others, and gets its changed nodes in full", async () => {
  const { store, listen } = await openScene();
  const [mine = ""] = await openRun(store, "S-1", ["mine"]);
  const [other = ""] = await openRun(store, "S-2", ["other"]);
  const listening = await listen({ query: "?run=S-1" });
  await writeNotes(store, [mine, other], 40);
  await until("they came", () => listening.numbers().length >= 20);
  const { batches } = listening;
  expect(new Set(batches.flatMap(({ events }) => events.map(({ run }) => run)))).toEqual(new Set(["S-1"]));
  const newest = batches.at(-1)?.nodes.find(({ id }) => id === mine);
  expect(newest).toMatchObject({ label: "1", state: "running", activity: `step 38 of ${mine}` });
  expect(batches.at(-1)?.runs).toMatchObject([{ id: "S-1", workers: 1, group: "working" }]);
});

it("one stream carries the whole project and the nodes of the shown story", async () => {
  const { store, listen } = await openScene();
  const [mine = ""] = await openRun(store, "S-1", ["mine"]);
  const [other = ""] = await openRun(store, "S-2", ["other"]);
  const listening = await listen({ query: "?nodes=S-1" });
  await writeNotes(store, [mine, other], 40);
  await until("they came", () => listening.numbers().length >= 40);
  const nodes = listening.batches.flatMap((batch) => batch.nodes.map(({ id }) => id));
  expect(new Set(nodes)).toEqual(new Set(["S-1", mine]));
  expect(new Set(listening.batches.flatMap(({ runs }) => runs.map(({ id }) => id)))).toEqual(
    new Set(["S-1", "S-2"]),
  );
});

it("a listener that connected before the first story hears of it", async () => {
  const root = temporaryProject();
  const served = await serveProject(root);
  const listening = await listenTo({ port: served.port, cookie: await served.signIn(), query: "?after=0" });
  onTestFinished(() => listening.close());
  expect(await served.read("/api/runs")).toEqual({ seq: 0, runs: [], hasMore: false });
  const store = openStore(ownStoreFile(root));
  onTestFinished(() => store.close());
  await openRun(store, "S-1", ["a"]);
  await until("it came", () => listening.numbers().length > 0);
  expect(listening.batches[0]?.events[0]).toMatchObject({ seq: 1, type: "story-opened", run: "S-1" });
});

it("1,000 events a second arrive completely, in few batches", async () => {
  const { store, listen } = await openScene();
  const workers = await openRun(store, "S-1", ["a", "b", "c", "d"]);
  const { seq } = await store.head();
  const listening = await listen({ query: `?run=S-1&after=${seq}` });
  const written = await writeSteadily(store, workers, { perSecond: 1000, seconds: 3 });
  await until("all came", () => listening.numbers().length >= written);
  expect(listening.numbers()).toEqual(await journalNumbers(store, seq));
  expect(written).toBeGreaterThan(2500);
  // With a batch for each event, a page would be drawn 3,000 times.
  expect(listening.batches.length).toBeLessThan(60);
});

it("a reader that stops reading does not fill the server's memory, and gets everything later", async () => {
  const { store, listen } = await openScene();
  const workers = await openRun(store, "S-1", ["a", "b"]);
  const slow = await listen({ query: "?after=0" });
  await until("it began", () => slow.names.length > 0);
  slow.pause();
  const before = process.memoryUsage();
  for (let round = 0; round < 20; round += 1) await writeNotes(store, workers, 1000);
  const after = process.memoryUsage();
  // 20,000 events are more than 8 MB as text. Only the sockets keep something for the reader.
  expect(after.arrayBuffers + after.external - before.arrayBuffers - before.external).toBeLessThan(6_000_000);
  slow.resume();
  const wanted = await journalNumbers(store);
  await until("the rest came", () => slow.numbers().length >= wanted.length);
  expect(slow.numbers()).toEqual(wanted);
});

it("reports that the store was replaced", async () => {
  const { served, store, listen } = await openScene();
  await openRun(store, "S-1", ["a"]);
  const listening = await listen();
  await until("it began", () => listening.names.length > 0);
  const { root } = served;
  renameSync(storeFile(root), `${storeFile(root)}.old`);
  const fresh = openStore(ownStoreFile(root));
  onTestFinished(() => fresh.close());
  await openRun(fresh, "S-2", ["b"]);
  await until("it was told", () => listening.names.includes("stale"));
  await listening.ended;
  expect(await served.read("/api/runs")).toMatchObject({ runs: [{ id: "S-2" }] });
  const future = await listen({ query: "?after=999999" });
  await until("it is told at once", () => future.names.includes("stale"));
});

it("refuses listeners beyond the limit until some leave", async () => {
  const { store, listen } = await openScene();
  await openRun(store, "S-1", ["a"]);
  const all = await Promise.all(Array.from({ length: 32 }, () => listen()));
  await expect(listen()).rejects.toThrow("503");
  for (const one of all.slice(0, 4)) one.close();
  await until("there is room", () => listen().then(Boolean, () => false));
});
