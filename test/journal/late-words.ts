import { afterEach, describe, expect, it } from "vitest";
import { journalEventSchema, type JournalEvent } from "../../src/contract/journal-event.ts";
import { defaultLimits } from "../../src/contract/limits.ts";
import type { Lease, RecordableEvent, SettleResult, Store } from "../../src/journal/store.ts";
import type { StoreFixture } from "./store-conformance.ts";

const lease: Lease = { owner: "test", leaseMs: 1000, maxConcurrent: 64 };
const usage = {
  inputTokens: 100,
  cachedTokens: 20,
  outputTokens: 30,
  microUsd: 450_000,
  source: "reported",
} as const;

/** What every store must refuse of attempts that are over, also while no other has begun. */
export function describeLateWords(name: string, create: () => StoreFixture): void {
  describe(`attempts of a ${name}`, () => {
    let fixture: StoreFixture;
    let store: Store;
    const start = async (): Promise<void> => {
      fixture = create();
      store = await fixture.open();
      const story = {
        id: "US-007",
        kind: "story",
        title: "T",
        agent: "claude",
        limits: defaultLimits,
      } as const;
      await store.openStory(story);
      await store.begin("US-007", 1, lease);
    };
    const delegate = async (parent = "US-007"): Promise<readonly unknown[]> => {
      const batch = { parent, parentAttempt: 1, requests: [{ description: "Do it" }] };
      return (await store.admit(batch)).map((each) =>
        each.admitted ? each.delegation.id : each.failures.map(({ code }) => code),
      );
    };
    const end = (id: string, attempt: number): Promise<SettleResult> =>
      store.settle(id, attempt, { outcome: "partial", summary: "Some" });
    const events = async (): Promise<readonly JournalEvent[]> =>
      (await store.eventsAfter(0, 1000)).events.map(({ body }) => journalEventSchema.parse(JSON.parse(body)));

    afterEach(async () => {
      await store.close();
      await fixture.remove();
    });

    it("can record nothing and end nothing once they are lost, also before the next one begins (C19)", async () => {
      await start();
      await delegate();
      const id = "US-007-DEL-001";
      await store.begin(id, 1, lease);
      fixture.advance(2000);
      expect(await store.requeueLost()).toEqual(["US-007", id]);
      const before = await events();
      for (const word of lateWords(id))
        expect([word.type, await store.record(word)]).toEqual([word.type, "stale"]);
      expect(await store.spend(id, 1, usage)).toEqual({ kind: "stale" });
      expect(await store.heartbeat(id, 1, 1000)).toBe("stale");
      expect(await store.rejoin(id, 1, lease)).toBe("stale");
      expect(await delegate(id)).toEqual([["PARENT_NOT_RUNNING"]]);
      expect(await end(id, 1)).toBe("stale");
      const added = (await events()).slice(before.length).map(({ type }) => type);
      expect(added).toEqual(["delegation-refused", "late-return-ignored"]);
      expect(await store.delegation(id)).toMatchObject({ state: "queued", attempt: 1 });
      expect(await store.begin(id, 2, lease)).toBe("ok");
    });

    it("can record nothing once they gave their delegation back", async () => {
      await start();
      const about = { story: "US-007", delegation: "US-007", attempt: 1 };
      await store.record({ ...about, type: "attempt-retried", data: { reason: "again" } });
      for (const word of lateWords("US-007"))
        expect([word.type, await store.record(word)]).toEqual([word.type, "stale"]);
    });

    it("can say nothing about others once they are over, be it a message, an answer or a stop", async () => {
      await start();
      await delegate();
      const worker = "US-007-DEL-001";
      await store.begin(worker, 1, { ...lease, leaseMs: 60_000 });
      const about = { story: "US-007", delegation: worker, attempt: 0 };
      const body = { type: "task_progress" };
      const words: readonly RecordableEvent[] = [
        { ...about, type: "message-sent", data: { messageId: "m", from: "US-007", to: worker, body } },
        {
          ...about,
          type: "approval-answered",
          data: { approvalId: "a", answer: "replied", by: "US-007", reason: "x" },
        },
      ];
      const wish = { reason: "enough", by: "US-007", speaker: { id: "US-007", attempt: 1 } };
      fixture.advance(2000);
      expect(await store.requeueLost()).toEqual(["US-007"]);
      for (const attempt of [2, 3]) {
        for (const word of words) expect(await store.record(word, wish.speaker)).toBe("stale");
        await store.requestCancel(worker, wish);
        expect(await store.delegation(worker)).toMatchObject({ cancelRequested: false });
        if (attempt === 2) expect(await store.begin("US-007", 2, lease)).toBe("ok");
      }
      const speaker = { id: "US-007", attempt: 2 };
      for (const word of words) expect(await store.record(word, speaker)).toBe("ok");
      await store.requestCancel(worker, { ...wish, speaker });
      expect(await store.delegation(worker)).toMatchObject({ cancelRequested: true });
    });

    it("leave a queued delegation to the runtime, which may add notes to it and end it", async () => {
      await start();
      fixture.advance(2000);
      await store.requeueLost();
      const about = { story: "US-007", delegation: "US-007", attempt: 0 };
      expect(await store.record({ ...about, type: "note-added", data: { text: "It waits" } })).toBe("ok");
      expect(await end("US-007", 0)).toBe("ok");
      expect((await events()).at(-1)).toMatchObject({ type: "delegation-closed", attempt: 1 });
    });

    it("are not ended by the runtime as a queued delegation is", async () => {
      await start();
      expect(await end("US-007", 0)).toBe("stale");
      expect(await store.delegation("US-007")).toMatchObject({ state: "running" });
    });
  });
}

/** What the first attempt of a delegation may still want to say. */
function lateWords(delegation: string): readonly RecordableEvent[] {
  const about = { story: "US-007", delegation, attempt: 1 };
  const place = { path: "/p", branch: "b", base: "c", durationMs: 1 };
  return [
    {
      ...about,
      type: "attempt-ended",
      data: { reason: "stopped", exitCode: null, code: null, durationMs: 1 },
    },
    { ...about, type: "attempt-lost", data: { reason: "its machine was stopped" } },
    { ...about, type: "attempt-retried", data: { reason: "again" } },
    { ...about, type: "delegation-parked", data: { waitingFor: [] } },
    { ...about, type: "delegation-returned", data: { status: "completed", summary: "S", artifacts: [] } },
    { ...about, type: "note-added", data: { text: "x" } },
    { ...about, type: "session-known", data: { sessionId: "s" } },
    { ...about, type: "work-kept", data: { tip: "t", base: "c", filesChanged: [] } },
    { ...about, type: "workspace-created", data: place },
    { ...about, type: "message-marked", data: { messageId: "m", state: "delivered" } },
    { ...about, type: "todos-updated", data: { todos: [] } },
  ];
}
