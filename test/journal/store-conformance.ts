import crypto from "node:crypto";
import { syncBuiltinESMExports } from "node:module";
import fc from "fast-check";
import { afterEach, describe, expect, it } from "vitest";
import { defaultLimits, type Limits } from "../../src/contract/limits.ts";
import { journalEventSchema, type JournalEvent } from "../../src/contract/journal-event.ts";
import {
  guardedEventTypes,
  type Batch,
  type Lease,
  type NewDelegation,
  type Settlement,
  type Store,
} from "../../src/journal/store.ts";

export interface StoreFixture {
  readonly open: () => Promise<Store>;
  readonly remove: () => Promise<void>;
  /** Moves the store's wall clock. */
  readonly advance: (milliseconds: number) => void;
}

const lease: Lease = { owner: "test", leaseMs: 1000, maxConcurrent: 64 };
const usage = {
  inputTokens: 100,
  cachedTokens: 20,
  outputTokens: 30,
  microUsd: 450_000,
  source: "reported",
} as const;

/** What every store must do; each engine runs the same suite. */
export function describeStore(name: string, create: () => StoreFixture): void {
  describe(name, () => {
    let fixture: StoreFixture;
    let store: Store;
    const start = async (
      limits: Partial<Limits> = {},
      budget: { budgetMicroUsd?: number; budgetTokens?: number } = {},
    ) => {
      fixture = create();
      store = await fixture.open();
      await openStory("US-007", limits, budget);
    };
    const openStory = async (id: string, limits: Partial<Limits> = {}, budget = {}) => {
      const merged = { ...defaultLimits, ...limits };
      await store.openStory({
        id,
        kind: "story",
        title: "Add authentication",
        agent: "claude",
        limits: merged,
        ...budget,
      });
      expect(await store.begin(id, 1, lease)).toBe("ok");
    };
    const ask = (requests: readonly Partial<NewDelegation>[], parent = "US-007", parentAttempt = 1) => {
      const batch: Batch = {
        parent,
        parentAttempt,
        requests: requests.map((each) => ({ description: "Do it", ...each })),
      };
      return store.admit(batch);
    };
    const codes = async (requests: readonly Partial<NewDelegation>[], parent?: string, attempt?: number) =>
      (await ask(requests, parent, attempt)).map((each) =>
        each.admitted ? each.delegation.id : each.failures.map((failure) => failure.code),
      );
    const finish = async (id: string, settlement: Partial<Settlement> = {}, attempt = 1) =>
      store.settle(id, attempt, { outcome: "partial", summary: "Some", ...settlement });
    const prove = async (id: string, attempt = 1) => {
      const about = { story: "US-007", delegation: id, attempt };
      await store.record({
        ...about,
        type: "delegation-returned",
        data: { status: "completed", summary: "S", artifacts: [] },
      });
      await store.record({
        ...about,
        type: "delegation-verified",
        data: { passed: 1, failed: 0, unverified: 0 },
      });
    };
    const events = async (): Promise<readonly JournalEvent[]> =>
      (await store.eventsAfter(0, 100_000)).events.map((event) =>
        journalEventSchema.parse(JSON.parse(event.body)),
      );

    afterEach(async () => {
      await store.close();
      await fixture.remove();
    });

    describe("admission", () => {
      it("draws another session id if the first one is taken (R27, C17)", async () => {
        await start();
        const real = crypto.randomInt;
        const throws = [...Array<number>(12 + 6 + 12).fill(7), ...Array<number>(6).fill(8)];
        Object.assign(crypto, { randomInt: () => throws.shift() ?? real(36) });
        syncBuiltinESMExports();
        try {
          await codes([{}, {}]);
        } finally {
          Object.assign(crypto, { randomInt: real });
          syncBuiltinESMExports();
        }
        const sessions = (await store.storyTree("US-007")).map(({ sessionId }) => sessionId.slice(-6));
        expect(sessions.filter((session) => session === "777777")).toHaveLength(1);
        expect(new Set(sessions).size).toBe(3);
      });

      it("numbers workers under their manager and gives them path, session and depth (R2, R3, R24, R25, R28, R29)", async () => {
        await start();
        expect(await codes([{}, {}])).toEqual(["US-007-DEL-001", "US-007-DEL-002"]);
        await store.begin("US-007-DEL-001", 1, lease);
        expect(await codes([{ agent: "codex" }], "US-007-DEL-001")).toEqual(["US-007-DEL-001-DEL-001"]);
        const nested = await store.delegation("US-007-DEL-001-DEL-001");
        expect(nested).toMatchObject({
          depth: 2,
          parent: "US-007-DEL-001",
          story: "US-007",
          state: "queued",
          path: ["ambit", "claude", "US-007-DEL-001", "codex"],
        });
        expect(nested?.sessionId).toMatch(/^sess_\d{10}_[0-9a-z]{6}$/);
        expect(nested?.executionId).toMatch(/^exec-[0-9a-z]{12}$/);
        const sessions = (await store.storyTree("US-007")).map((each) => each.sessionId);
        expect(new Set(sessions).size).toBe(sessions.length);
      });

      it("never gives a number twice, even after workers closed (R3)", async () => {
        await start();
        await codes([{}]);
        await store.begin("US-007-DEL-001", 1, lease);
        await finish("US-007-DEL-001");
        expect(await codes([{}])).toEqual(["US-007-DEL-002"]);
      });

      it("refuses a whole batch that does not fit, and creates nothing (R12, R15, C28)", async () => {
        await start();
        const refused = await codes(Array.from({ length: 12 }, () => ({})));
        expect(refused).toEqual(Array.from({ length: 12 }, () => ["TOO_MANY_DELEGATIONS"]));
        expect(await store.storyTree("US-007")).toHaveLength(1);
        expect(await codes(Array.from({ length: 10 }, () => ({})))).toHaveLength(10);
        expect(await codes([{}])).toEqual([["TOO_MANY_DELEGATIONS"]]);
      });

      it("decides each request of a fitting batch on its own and reports all failures (C6, R95)", async () => {
        await start();
        const spoken = { description: "a; b", agent: "claude", isDirective: true };
        expect(await codes([spoken, {}, { contextTokens: 100_001 }])).toEqual([
          ["CYCLE_DETECTED", "SUSPICIOUS_CHARACTERS"],
          "US-007-DEL-001",
          ["CONTEXT_BUDGET_EXCEEDED"],
        ]);
        const refusals = (await events()).filter((event) => event.type === "delegation-refused");
        expect(refusals).toHaveLength(2);
      });

      it("admits the same words in a structured request that it refuses in a directive (C40)", async () => {
        await start();
        const description = "Fix the `parse` function; $5 in ../lib";
        expect(await codes([{ description, isDirective: true }, { description }])).toEqual([
          ["SUSPICIOUS_CHARACTERS"],
          "US-007-DEL-001",
        ]);
        expect((await store.delegation("US-007-DEL-001"))?.description).toBe(description);
      });

      it("lets the name of a program repeat on the path, but not the name of a role (R65)", async () => {
        await start();
        expect(await codes([{ agent: "claude", isDriver: true }, { agent: "claude" }])).toEqual([
          "US-007-DEL-001",
          ["CYCLE_DETECTED"],
        ]);
      });

      it("records the passed checks with the admission (R16, R122)", async () => {
        await start();
        await codes([{}]);
        const admitted = (await events()).find((event) => event.type === "delegation-admitted");
        expect(admitted?.data).toMatchObject({
          checks: ["no_cycle", "depth_ok", "count_ok", "context_ok", "cost_ok", "description_safe"],
          parentAttempt: 1,
        });
      });

      it("enforces a story's depth limit of 2, and of 3 if the story raises it (R10, R20, C1)", async () => {
        await start({ maxDepth: 2 });
        await codes([{}]);
        await store.begin("US-007-DEL-001", 1, lease);
        await codes([{}], "US-007-DEL-001");
        await store.begin("US-007-DEL-001-DEL-001", 1, lease);
        expect(await codes([{}], "US-007-DEL-001-DEL-001")).toEqual([["MAX_DEPTH_EXCEEDED"]]);
        await openStory("US-040", { maxDepth: 3 });
        for (const parent of ["US-040", "US-040-DEL-001", "US-040-DEL-001-DEL-001"]) {
          expect(await codes([{}], parent)).toEqual([`${parent}-DEL-001`]);
          await store.begin(`${parent}-DEL-001`, 1, lease);
        }
        expect(await codes([{}], "US-040-DEL-001-DEL-001-DEL-001")).toEqual([
          ["MAX_DEPTH_EXCEEDED", "TOO_MANY_DELEGATIONS"],
        ]);
      });

      it("refuses a task that a manager further up already works on (R13, C5)", async () => {
        await start();
        await codes([{ targetId: "T-1" }]);
        await store.begin("US-007-DEL-001", 1, lease);
        expect(await codes([{ targetId: "T-1" }], "US-007-DEL-001")).toEqual([["CYCLE_DETECTED"]]);
        expect(await codes([{ targetId: "US-007" }], "US-007-DEL-001")).toEqual([["CYCLE_DETECTED"]]);
        expect(await codes([{ targetId: "T-2" }], "US-007-DEL-001")).toEqual(["US-007-DEL-001-DEL-001"]);
      });

      it("refuses managers that are unknown, not running, being cancelled, or in another attempt", async () => {
        await start();
        await codes([{}]);
        expect(await codes([{}], "US-007-DEL-001", 0)).toEqual([["PARENT_NOT_RUNNING"]]);
        expect(await codes([{}], "US-007", 2)).toEqual([["STALE_ATTEMPT"]]);
        expect(await codes([{}], "US-999")).toEqual([["DELEGATION_NOT_FOUND"]]);
        await store.requestCancel("US-007", { reason: "enough", by: "user" });
        expect(await codes([{}])).toEqual([["PARENT_NOT_RUNNING"]]);
      });

      it("delegates nothing if switched off (R108)", async () => {
        await start({ enabled: false });
        expect(await codes([{}])).toEqual([["DELEGATION_DISABLED"]]);
      });

      it("gives each worker at most the story's time (R72, C35)", async () => {
        await start({ timeoutSeconds: 600 });
        await codes([{}, { timeoutSeconds: 60 }, { timeoutSeconds: 6000 }]);
        const tree = await store.storyTree("US-007");
        expect(tree.map((each) => each.timeoutSeconds)).toEqual([600, 600, 60, 600]);
      });

      it("refuses a second story of the same id and ids that cannot be branches", async () => {
        await start();
        const story = { kind: "story", title: "x", agent: "claude", limits: defaultLimits } as const;
        await expect(store.openStory({ ...story, id: "US-007" })).rejects.toMatchObject({
          code: "STORY_EXISTS",
        });
        for (const id of ["", "a b", "../x", "a..b", "x.lock", "-x", "a/b"]) {
          await expect(store.openStory({ ...story, id })).rejects.toThrow();
        }
      });
    });

    describe("budget", () => {
      it("is lent in slices, books usage, and gets the rest of a slice back (R104, R196)", async () => {
        await start({}, { budgetMicroUsd: 2_000_000, budgetTokens: 1000 });
        await codes([{ budgetMicroUsd: 500_000, budgetTokens: 400 }]);
        expect(await store.delegation("US-007")).toMatchObject({
          money: { lent: 500_000 },
          tokens: { lent: 400 },
        });
        await store.begin("US-007-DEL-001", 1, lease);
        expect(await store.spend("US-007-DEL-001", 1, usage)).toEqual({ kind: "ok", pressure: "soft" });
        await finish("US-007-DEL-001");
        expect(await store.delegation("US-007")).toMatchObject({
          money: { limit: 2_000_000, lent: 0, spent: 450_000 },
          tokens: { limit: 1000, lent: 0, spent: 150 },
        });
        expect(await store.delegation("US-007-DEL-001")).toMatchObject({
          inputTokens: 100,
          cachedTokens: 20,
          outputTokens: 30,
          microUsd: 450_000,
          estimated: false,
        });
      });

      it("is shared equally among workers that ask for no amount, with one share for the manager", async () => {
        await start({}, { budgetMicroUsd: 4_000_000 });
        await codes([{}, {}, {}]);
        const tree = await store.storyTree("US-007");
        expect(tree.map((each) => each.money.limit)).toEqual([4_000_000, 1_000_000, 1_000_000, 1_000_000]);
      });

      it("refuses a slice that siblings have already taken", async () => {
        await start({}, { budgetMicroUsd: 1_000_000, budgetTokens: 100 });
        expect(await codes([{ budgetMicroUsd: 800_000 }, { budgetMicroUsd: 300_000 }])).toEqual([
          "US-007-DEL-001",
          ["COST_LIMIT_EXCEEDED"],
        ]);
        expect(await codes([{ budgetMicroUsd: 1, budgetTokens: 1000 }])).toEqual([["COST_LIMIT_EXCEEDED"]]);
      });

      it("lends no slice above the limit per delegation, requested or not", async () => {
        await start({ delegationMicroUsd: 250_000 }, { budgetMicroUsd: 4_000_000 });
        expect(await codes([{}, { budgetMicroUsd: 250_001 }])).toEqual([
          "US-007-DEL-001",
          ["COST_LIMIT_EXCEEDED"],
        ]);
        expect(await store.delegation("US-007-DEL-001")).toMatchObject({ money: { limit: 250_000 } });
      });

      it("answers each usage report with free, soft or hard pressure, and keeps estimates marked", async () => {
        await start({}, { budgetMicroUsd: 1_000_000 });
        const report = (microUsd: number) =>
          store.spend("US-007", 1, { ...usage, microUsd, source: "estimated" });
        expect(await report(890_000)).toEqual({ kind: "ok", pressure: "free" });
        expect(await report(10_000)).toEqual({ kind: "ok", pressure: "soft" });
        expect(await report(100_000)).toEqual({ kind: "ok", pressure: "hard" });
        expect(await store.spend("US-007", 2, usage)).toEqual({ kind: "stale" });
        expect(await store.delegation("US-007")).toMatchObject({
          estimated: true,
          money: { spent: 1_000_000 },
        });
      });
    });

    describe("attempts", () => {
      it("start only as the next one of a queued delegation", async () => {
        await start();
        await codes([{}]);
        expect(await store.begin("US-007-DEL-001", 2, lease)).toBe("stale");
        expect(await store.begin("US-007-DEL-001", 1, lease)).toBe("ok");
        expect(await store.begin("US-007-DEL-001", 1, lease)).toBe("stale");
        expect(await store.begin("US-007-DEL-001", 2, lease)).toBe("stale");
        expect(await store.begin("nobody", 1, lease)).toBe("stale");
      });

      it("stay within the slots of the story and of the machine; managers of stories take no slot (R80, R110)", async () => {
        await start({ maxConcurrent: 2 });
        await codes([{}, {}, {}]);
        expect(await store.begin("US-007-DEL-001", 1, lease)).toBe("ok");
        expect(await store.begin("US-007-DEL-002", 1, { ...lease, maxConcurrent: 1 })).toBe("full");
        expect(await store.begin("US-007-DEL-002", 1, lease)).toBe("ok");
        expect(await store.begin("US-007-DEL-003", 1, lease)).toBe("full");
        await finish("US-007-DEL-001");
        expect(await store.begin("US-007-DEL-003", 1, lease)).toBe("ok");
      });

      it("free their slot when the process has ended, and the next one takes a slot again (R80)", async () => {
        await start({ maxConcurrent: 1 });
        await codes([{}, {}]);
        const ended = { reason: "exited", exitCode: 0, code: null, durationMs: 1 };
        const about = { story: "US-007", delegation: "US-007-DEL-001", attempt: 1 };
        expect(await store.begin("US-007-DEL-001", 1, lease)).toBe("ok");
        await store.record({ ...about, type: "attempt-ended", data: ended });
        await store.record({ ...about, type: "attempt-retried", data: { reason: "again" } });
        expect(await store.begin("US-007-DEL-001", 2, lease)).toBe("ok");
        expect(await store.begin("US-007-DEL-002", 1, lease)).toBe("full");
        await store.record({ ...about, attempt: 2, type: "attempt-ended", data: ended });
        expect(await store.begin("US-007-DEL-002", 1, lease)).toBe("ok");
      });

      it("learn of a cancellation with their heartbeat, and any but the current one is stale", async () => {
        await start();
        expect(await store.heartbeat("US-007", 1, 1000)).toBe("ok");
        expect(await store.heartbeat("US-007", 2, 1000)).toBe("stale");
        await store.requestCancel("US-007", { reason: "enough", by: "user" });
        await store.requestCancel("US-007", { reason: "enough", by: "user" });
        expect(await store.heartbeat("US-007", 1, 1000)).toBe("cancelled");
        const requests = (await events()).filter((event) => event.type === "cancellation-requested");
        expect(requests).toHaveLength(1);
      });

      it("go back to the queue without a heartbeat, and later steps of the lost one are refused", async () => {
        await start();
        await codes([{}]);
        await store.begin("US-007-DEL-001", 1, lease);
        fixture.advance(900);
        await store.heartbeat("US-007-DEL-001", 1, 1000);
        fixture.advance(900);
        expect(await store.requeueLost()).toEqual(["US-007"]);
        fixture.advance(2000);
        expect(await store.requeueLost()).toEqual(["US-007-DEL-001"]);
        expect(await store.begin("US-007-DEL-001", 2, lease)).toBe("ok");
        expect(await finish("US-007-DEL-001", {}, 1)).toBe("stale");
        expect(await store.spend("US-007-DEL-001", 1, usage)).toEqual({ kind: "stale" });
        expect(await store.heartbeat("US-007-DEL-001", 1, 1000)).toBe("stale");
        expect(await finish("US-007-DEL-001", {}, 2)).toBe("ok");
      });

      it("cannot record events if they are not the current one, or if their delegation is closed", async () => {
        await start();
        const note = {
          story: "US-007",
          delegation: "US-007",
          type: "note-added",
          data: { text: "x" },
        } as const;
        expect(await store.record({ ...note, attempt: 7 })).toBe("stale");
        expect(await store.record({ ...note, attempt: 1 })).toBe("ok");
        await finish("US-007");
        expect(await store.record({ ...note, attempt: 1 })).toBe("stale");
      });
    });

    describe("settling", () => {
      it("ends a delegation exactly once; late results are recorded but ignored (C19)", async () => {
        await start();
        await codes([{}]);
        await store.begin("US-007-DEL-001", 1, lease);
        expect(await finish("US-007-DEL-001", { outcome: "timed_out", code: "TIMEOUT" })).toBe("ok");
        expect(await finish("US-007-DEL-001", { outcome: "completed" })).toBe("stale");
        expect(await store.delegation("US-007-DEL-001")).toMatchObject({
          outcome: "timed_out",
          code: "TIMEOUT",
          state: "closed",
        });
        const kinds = (await events())
          .filter((event) => event.delegation === "US-007-DEL-001")
          .map((event) => event.type);
        expect(kinds).toEqual([
          "delegation-admitted",
          "attempt-started",
          "delegation-closed",
          "late-return-ignored",
        ]);
      });

      it("completes a delegation only after it was verified", async () => {
        await start();
        await codes([{}]);
        await store.begin("US-007-DEL-001", 1, lease);
        expect(await finish("US-007-DEL-001", { outcome: "completed" })).toBe("unproven");
        await prove("US-007-DEL-001");
        expect(await finish("US-007-DEL-001", { outcome: "completed", filesChanged: ["a.ts"] })).toBe("ok");
        expect(await store.delegation("US-007-DEL-001")).toMatchObject({
          outcome: "completed",
          filesChanged: ["a.ts"],
        });
      });

      it("keeps a manager open until its workers are closed, and a worker's failure never ends it (R81)", async () => {
        await start();
        await codes([{}]);
        await store.begin("US-007-DEL-001", 1, lease);
        expect(await finish("US-007")).toBe("open-workers");
        await finish("US-007-DEL-001", { outcome: "failed" });
        expect(await store.delegation("US-007")).toMatchObject({ state: "running", openWorkers: 0 });
        expect(await finish("US-007")).toBe("ok");
      });

      it("refuses steps that skip a state, and undoes only them", async () => {
        await start();
        const about = { story: "US-007", delegation: "US-007", attempt: 1 };
        const merge = {
          ...about,
          type: "delegation-merged",
          data: { into: "b", commit: "c", filesChanged: ["x"].slice(1) },
        } as const;
        const note = { ...about, type: "note-added", data: { text: "kept" } } as const;
        const [bad, good] = await Promise.allSettled([store.record(merge), store.record(note)]);
        expect(bad).toMatchObject({ status: "rejected", reason: { code: "ILLEGAL_TRANSITION" } });
        expect(good).toMatchObject({ status: "fulfilled", value: "ok" });
        expect((await events()).at(-1)).toMatchObject({ type: "note-added" });
      });

      it("records no event that affects a limit or the ledger", async () => {
        await start();
        const before = (await events()).length;
        for (const type of guardedEventTypes) {
          const forged: unknown = { story: "US-007", delegation: "US-007", attempt: 1, type, data: {} };
          await expect(store.record(JSON.parse(JSON.stringify(forged)))).rejects.toThrow(
            "not to be recorded",
          );
        }
        expect(await events()).toHaveLength(before);
      });

      it("puts a retried delegation back into the queue, and its next attempt can start", async () => {
        await start();
        const about = { story: "US-007", delegation: "US-007", attempt: 1 };
        await prove("US-007");
        await store.record({ ...about, type: "attempt-retried", data: { reason: "criterion red" } });
        expect(await store.delegation("US-007")).toMatchObject({ state: "queued", attempt: 1 });
        expect(await store.begin("US-007", 2, lease)).toBe("ok");
      });
    });

    describe("reading", () => {
      it("pages events by cursor, for all, one story or one delegation", async () => {
        await start();
        await codes([{}]);
        await openStory("US-008");
        const first = await store.eventsAfter(0, 2);
        const rest = await store.eventsAfter(first.cursor, 100);
        expect([...first.events, ...rest.events].map((event) => event.seq)).toEqual([1, 2, 3, 4, 5]);
        expect(await store.eventsAfter(rest.cursor, 10)).toEqual({ events: [], cursor: rest.cursor });
        expect((await store.eventsAfter(0, 10, { story: "US-008" })).events).toHaveLength(2);
        expect((await store.eventsAfter(0, 10, { delegation: "US-007-DEL-001" })).events).toHaveLength(1);
        expect((await store.stories(10)).map((story) => story.id)).toEqual(["US-008", "US-007"]);
        expect((await store.openDelegations(10)).map((each) => each.id)).toEqual([
          "US-007",
          "US-007-DEL-001",
          "US-008",
        ]);
        expect(await store.openStories(10)).toEqual(["US-007", "US-008"]);
        expect(await store.head()).toMatchObject({ seq: 5 });
        expect(await store.story("US-007")).toMatchObject({ title: "Add authentication", delegations: 1 });
        expect(await store.story("nobody")).toBeUndefined();
      });

      it("counts delegations by outcome, and sums durations, tokens and cost (R105, R106)", async () => {
        await start();
        await codes([{}, {}, {}, {}]);
        for (const [index, milliseconds] of [100, 300, 200].entries()) {
          const id = `US-007-DEL-00${index + 1}`;
          await store.begin(id, 1, lease);
          await store.spend(id, 1, usage);
          fixture.advance(milliseconds);
          await finish(id, { outcome: index === 0 ? "failed" : "partial" });
        }
        expect(await store.totals()).toMatchObject({
          delegations: 4,
          maxDepthSeen: 1,
          active: 1,
          running: 0,
          finished: 3,
          outcomes: { failed: 1, partial: 2 },
          durationMs: { average: 200, median: 200, p95: 300 },
          microUsd: 1_350_000,
          inputTokens: 360,
          outputTokens: 90,
          efficiency: { workMs: 600, wallMs: 1800 },
        });
      });

      it("sums the usage of one story from its delegations", async () => {
        await start();
        await openStory("US-008");
        for (const manager of ["US-007", "US-008"]) await codes([{}, {}], manager);
        await store.begin("US-007-DEL-001", 1, lease);
        await store.spend("US-007-DEL-001", 1, { ...usage, source: "estimated" });
        await store.spend("US-007", 1, usage);
        await finish("US-007-DEL-001", { outcome: "failed" });
        const counts = { workers: 2, ended: 1, open: 2, tokens: 300, microUsd: 900_000, unpricedTokens: 0 };
        const all = { ...counts, isEstimated: true, isSimulated: false };
        expect(await store.storyUse("US-007")).toStrictEqual(all);
        expect(await store.storyUse("US-008")).toMatchObject({ workers: 2, ended: 0, open: 3, microUsd: 0 });
      });
    });

    it("never exceeds a limit and ends everything at most once, whatever managers do (R196)", async () => {
      const act = fc.record({
        pick: fc.nat(30),
        kind: fc.constantFrom("admit", "admit", "begin", "spend", "settle", "cancel", "lost"),
        amount: fc.integer({ min: 1, max: 6 }),
      });
      await fc.assert(
        fc.asyncProperty(fc.array(act, { minLength: 10, maxLength: 60 }), async (acts) => {
          await start({ maxDelegations: 12, maxConcurrent: 3, maxDepth: 3 }, { budgetMicroUsd: 3_000_000 });
          for (const { pick, kind, amount } of acts) {
            const tree = await store.storyTree("US-007");
            const target = tree[pick % tree.length];
            if (target === undefined) continue;
            const { id, attempt } = target;
            if (kind === "admit")
              await ask(
                Array.from({ length: amount }, () => ({})),
                id,
                attempt,
              );
            if (kind === "begin") await store.begin(id, attempt + 1, lease);
            if (kind === "spend") await store.spend(id, attempt, { ...usage, microUsd: amount * 1000 });
            if (kind === "settle") await finish(id, {}, attempt);
            if (kind === "cancel" && amount === 1) await store.requestCancel(id, { reason: "x", by: "y" });
            if (kind === "lost") {
              fixture.advance(1500);
              await store.requeueLost();
            }
            await expectLimitsHold(store);
          }
          const ends = (await events())
            .filter((event) => event.type === "delegation-closed")
            .map((event) => event.delegation);
          expect(new Set(ends).size).toBe(ends.length);
          await store.close();
          await fixture.remove();
        }),
        { numRuns: 25 },
      );
      await start();
    });
  });
}

async function expectLimitsHold(store: Store): Promise<void> {
  const tree = await store.storyTree("US-007");
  const workers = tree.filter((each) => each.depth > 0);
  expect(workers.length).toBeLessThanOrEqual(12);
  expect(workers.filter((each) => each.state === "running").length).toBeLessThanOrEqual(3);
  expect(Math.max(...tree.map((each) => each.depth))).toBeLessThanOrEqual(3);
  const spent = tree.reduce((sum, each) => sum + each.microUsd, 0);
  const open = tree
    .filter((each) => each.state !== "closed")
    .reduce((sum, each) => sum + each.money.spent, 0);
  const root = tree[0];
  if (root !== undefined && root.state !== "closed") expect(open).toBe(spent);
  for (const each of tree) expect(each.money.lent).toBeGreaterThanOrEqual(0);
}
