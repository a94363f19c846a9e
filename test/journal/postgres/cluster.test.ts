import { readFileSync, rmSync, writeFileSync } from "node:fs";
import { createHash } from "node:crypto";
import { join } from "node:path";
import { setTimeout as delay } from "node:timers/promises";
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from "vitest";
import type { JournalEvent } from "../../../src/contract/journal-event.ts";
import {
  findBrokenLink,
  importJournal,
  joinCluster,
  leaveCluster,
  readCluster,
} from "../../../src/journal/cluster.ts";
import { openReader } from "../../../src/journal/open-reader.ts";
import { openProjectStore } from "../../../src/journal/open-project-store.ts";
import { openStore } from "../../../src/journal/open-store.ts";
import { readMembership, refreshTables } from "../../../src/journal/refresh-tables.ts";
import { verifyJournal } from "../../../src/journal/verify-journal.ts";
import { Database } from "../../../src/journal/sqlite/database.ts";
import type { Store } from "../../../src/journal/store.ts";
import { until } from "../../e2e/project.ts";
import { startPostgres, type PostgresService } from "../../services.ts";
import { addressOf, ClusterFixture, lease, openRunningStory, usage } from "./cluster-fixture.ts";
import { CuttingProxy } from "./cutting-proxy.ts";

let postgres: PostgresService;
let cluster: ClusterFixture;
beforeAll(async () => {
  postgres = await startPostgres();
});
afterAll(() => postgres.stop());
beforeEach(async () => {
  cluster = new ClusterFixture(postgres.url);
  await cluster.setUp();
});
afterEach(() => cluster.remove());

const wishFor = (machine: string, url = postgres.url) => ({
  file: cluster.file(machine),
  project: cluster.project,
  environment: { AMBIT_CLUSTER_URL: url },
});

describe("two machines", () => {
  it("share one journal: no worker number repeats, no slot is exceeded, and both copies are intact (R3, R80)", async () => {
    const [one, two] = [await cluster.open("one"), await cluster.open("two")];
    await openRunningStory(one, "US-1");
    const batches = Array.from({ length: 10 }, (_, index) =>
      (index % 2 === 0 ? one : two).admit({
        parent: "US-1",
        parentAttempt: 1,
        requests: [{ description: `Part ${index}` }],
      }),
    );
    const ids = (await Promise.all(batches)).flat().map((each) => (each.admitted ? each.delegation.id : ""));
    expect(new Set(ids).size).toBe(10);
    const narrow = { ...lease, maxConcurrent: 3 };
    const begun = await Promise.all(
      ids.flatMap((id) => [one, two].map((store) => store.begin(id, 1, narrow))),
    );
    expect(begun.filter((result) => result === "ok")).toHaveLength(3);
    for (const store of [one, two]) await store.close();
    const heads = ["one", "two"].map((name) => verifyJournal(cluster.file(name)));
    expect(await refreshTables(cluster.file("one"), {})).toBeUndefined();
    const there = await cluster.sql(`SELECT hash FROM ambit.head WHERE project = '${cluster.project}'`);
    expect(heads.map(({ firstBad, differingProjections }) => [firstBad, differingProjections])).toEqual([
      [undefined, []],
      [undefined, []],
    ]);
    expect(heads.map(({ headHash }) => headHash)).toContain(there[0]?.["hash"]);
  });

  it("pass on events in order, and a cancellation with the next heartbeat", async () => {
    const [one, two] = [await cluster.open("one"), await cluster.open("two")];
    const heard: JournalEvent[] = [];
    const whole = new Promise<void>((resolve) => {
      two.onEvent((event) => {
        heard.push(event);
        if (event.type === "cancellation-requested") resolve();
      });
    });
    await openRunningStory(one, "US-1");
    await two.requestCancel("US-1", { reason: "enough", by: "a person" });
    await whole;
    expect(heard.map(({ type }) => type)).toEqual([
      "story-opened",
      "attempt-started",
      "cancellation-requested",
    ]);
    expect(await one.heartbeat("US-1", 1, 1000)).toBe("cancelled");
  });

  it("refuse an attempt whose lease has expired, even before it is put back into the queue", async () => {
    const [one, two] = [await cluster.open("one"), await cluster.open("two")];
    await openRunningStory(one, "US-1");
    expect(await one.heartbeat("US-1", 1, 60_000)).toBe("ok");
    await cluster.sql(`UPDATE ambit.leases SET expires_ms = 0 WHERE project = '${cluster.project}'`);
    expect(await one.heartbeat("US-1", 1, 60_000)).toBe("stale");
    await two.heartbeat("US-1", 1, 1);
    expect(await two.requeueLost()).toEqual(["US-1"]);
    expect(await two.begin("US-1", 2, lease)).toBe("ok");
    expect(await one.spend("US-1", 1, usage)).toEqual({ kind: "stale" });
    expect(await one.settle("US-1", 1, { outcome: "failed", summary: "late" })).toBe("stale");
    expect(await two.requeueLost()).toEqual([]);
  });

  it("keep their leases while their steps wait for the lock", async () => {
    const store = await cluster.open("waiting");
    await openRunningStory(store, "US-1");
    const { Client } = await import("pg");
    const holder = new Client({ connectionString: postgres.url });
    await holder.connect();
    await holder.query(`BEGIN; SELECT * FROM ambit.lock_head('${cluster.project}')`);
    const step = store.spend("US-1", 1, usage);
    const late = delay(5000, "no answer", { ref: false });
    const answer = await Promise.race([store.heartbeat("US-1", 1, 60_000), late, step]);
    await holder.query("COMMIT");
    await Promise.all([step, holder.end()]);
    expect(answer).toBe("ok");
  });

  it("repeat a step whose lock was lost before it was stored, while another one appended", async () => {
    const [one, two] = [await cluster.open("one"), await cluster.open("two")];
    await openRunningStory(one, "US-1");
    const tables = new Database(cluster.file("one"), { readOnly: false });
    tables.execute("BEGIN IMMEDIATE");
    const step = one.spend("US-1", 1, usage);
    const holders = `SELECT l.pid FROM pg_locks l JOIN pg_stat_activity a USING (pid)
      WHERE l.relation = 'ambit.head'::regclass AND l.mode = 'RowShareLock' AND a.state = 'idle in transaction'`;
    await until("it has the lock", async () => (await cluster.sql(holders)).length > 0);
    await cluster.sql(`SELECT pg_terminate_backend(pid) FROM (${holders}) AS holder`);
    expect(await two.spend("US-1", 1, usage)).toMatchObject({ kind: "ok" });
    tables.execute("ROLLBACK");
    tables.close();
    expect(await step).toMatchObject({ kind: "ok" });
    await two.refresh();
    expect((await two.delegation("US-1"))?.microUsd).toBe(2 * usage.microUsd);
  });

  it("continue when one is frozen while it holds the lock", async () => {
    const one = await cluster.open("one");
    await openRunningStory(one, "US-1");
    const { Client } = await import("pg");
    const frozen = new Client({ connectionString: postgres.url, idle_in_transaction_session_timeout: 2000 });
    frozen.on("error", () => undefined);
    await frozen.connect();
    await frozen.query(`BEGIN; SELECT * FROM ambit.lock_head('${cluster.project}')`);
    expect(await one.spend("US-1", 1, usage)).toEqual({ kind: "ok", pressure: "free" });
    await frozen.end().catch(() => undefined);
  });
});

describe("steps over connections that are cut", () => {
  const spendThroughCuts = async (more: { repeatsBlindly?: boolean } = {}) => {
    const proxy = new CuttingProxy(postgres.url);
    const store = await cluster.open("one", { address: addressOf(await proxy.listen()), ...more });
    await openRunningStory(store, "US-1");
    proxy.share = 0.5;
    const steps = 60;
    for (let step = 0; step < steps; step += 1) await store.spend("US-1", 1, usage);
    proxy.share = 0;
    const spent = (await store.delegation("US-1"))?.microUsd;
    await store.close();
    await proxy.close();
    const [row] = await cluster.sql(
      `SELECT count(*)::integer AS n FROM ambit.events
         WHERE project = '${cluster.project}' AND body::json->>'type' = 'usage-reported'`,
    );
    return { proxy, steps, spent, stored: Number(row?.["n"]) };
  };

  it("are booked exactly once, whether the cut comes before or after the commit (R196)", async () => {
    const { proxy, steps, spent, stored } = await spendThroughCuts();
    expect(Math.min(proxy.cutsBefore, proxy.cutsAfter)).toBeGreaterThan(5);
    expect([stored, spent]).toEqual([steps, steps * usage.microUsd]);
  });

  it("would be booked twice if a repetition did not look for the first booking (control)", async () => {
    const { proxy, steps, stored } = await spendThroughCuts({ repeatsBlindly: true });
    expect(stored).toBe(steps + proxy.cutsAfter);
  });
});

describe("the database itself", () => {
  const asWorker = async (statement: string): Promise<string> => {
    try {
      await cluster.sql(`BEGIN; SET LOCAL ROLE ambit_worker; ${statement}; COMMIT`);
      return "done";
    } catch (error) {
      await cluster.sql("ROLLBACK");
      return error instanceof Error ? error.message : String(error);
    }
  };
  const append = (batch: object): Promise<string> =>
    asWorker(`SELECT ambit.append('${cluster.project}', '${JSON.stringify(batch)}'::json)`);
  const body = JSON.stringify({ seq: 1, type: "note-added" });
  const hash = createHash("sha256")
    .update(`${"0".repeat(64)}\n${body}`)
    .digest("hex");
  const rest = { leases: [], ended: [] };

  it("lets a worker append events that continue the chain, and refuses every other change of history", async () => {
    for (const statement of [
      "UPDATE ambit.events SET body = ''",
      "DELETE FROM ambit.events",
      "TRUNCATE ambit.events",
      `INSERT INTO ambit.events VALUES ('${cluster.project}', 1, '', '')`,
      "UPDATE ambit.head SET seq = 9",
      "DELETE FROM ambit.leases",
      "ALTER FUNCTION ambit.append(text, json) OWNER TO ambit_worker",
    ])
      expect(await asWorker(statement)).toMatch(/permission denied|must be owner/);
    expect(await append({ after: 0, events: [{ body, hash: hash.replace(/^./, "x") }], ...rest })).toContain(
      "does not continue the chain",
    );
    expect(await append({ after: 1, events: [{ body, hash }], ...rest })).toContain("does not end there");
    expect(await append({ after: 0, events: [{ body: body.replace("1", "2"), hash }], ...rest })).toContain(
      "does not continue the chain",
    );
    expect(await append({ after: 0, events: [{ body, hash }], ...rest })).toBe("done");
  });

  it("can be set up by many processes at the same time, and again afterwards", async () => {
    const others = Array.from({ length: 4 }, () => new ClusterFixture(postgres.url));
    await Promise.all(others.map((other) => other.setUp()));
    await Promise.all(others.map((other) => other.setUp()));
    for (const other of others) await other.remove();
  });

  it("shows a changed event by its number, and no further machine opens it", async () => {
    const store = await cluster.open("one");
    await openRunningStory(store, "US-1");
    expect(await findBrokenLink(wishFor("one"))).toBeUndefined();
    await cluster.sql(
      `UPDATE ambit.events SET body = replace(body, 'claude', 'clawde') WHERE project = '${cluster.project}' AND seq = 1`,
    );
    expect(await findBrokenLink(wishFor("one"))).toBe(1);
    await expect(cluster.open("two")).rejects.toMatchObject({ code: "STORE_DIVERGED" });
  });
});

describe("a project that joins a cluster", () => {
  const fill = async (machine: string, story = "US-1"): Promise<void> => {
    const store = openStore(cluster.file(machine));
    await openRunningStory(store, story);
    await store.close();
  };

  it("moves its journal there unchanged, continues it there, and takes it back when it leaves", async () => {
    await fill("one");
    const before = verifyJournal(cluster.file("one"));
    expect((await joinCluster(wishFor("one"))).isMember).toBe(false);
    const imported = await importJournal(wishFor("one"));
    expect(imported).toMatchObject({ isMember: true, there: { seq: before.events, hash: before.headHash } });
    const store = await openProjectStore(cluster.file("one"), wishFor("one").environment);
    await store.spend("US-1", 1, usage);
    await store.close();
    expect((await joinCluster(wishFor("two"))).isMember).toBe(true);
    expect(await refreshTables(cluster.file("two"), wishFor("two").environment)).toBeUndefined();
    expect(verifyJournal(cluster.file("two"))).toEqual(verifyJournal(cluster.file("one")));
    expect(await leaveCluster(wishFor("one"))).toBe(before.events + 1);
    expect(readMembership(cluster.file("one"))).toBeUndefined();
    const own = await openProjectStore(cluster.file("one"), {});
    await own.spend("US-1", 1, usage);
    expect((await own.delegation("US-1"))?.microUsd).toBe(2 * usage.microUsd);
    await own.close();
    await expect(joinCluster(wishFor("one"))).rejects.toMatchObject({ code: "STORE_DIVERGED" });
  });

  it("rebuilds lost tables from the journal, and refuses a machine with a journal of its own", async () => {
    const store = await cluster.open("one");
    await openRunningStory(store, "US-1");
    await store.close();
    rmSync(join(cluster.file("one"), ".."), { recursive: true });
    const again = await cluster.open("one");
    expect(await again.delegation("US-1")).toMatchObject({ state: "running" });
    await fill("two", "US-2");
    await expect(cluster.open("two")).rejects.toMatchObject({ code: "STORE_DIVERGED" });
    await expect(importJournal(wishFor("two"))).rejects.toMatchObject({ code: "CLUSTER_NOT_EMPTY" });
  });

  it("runs on one machine at a time; another can only read it, or take the role over", async () => {
    expect(await joinCluster(wishFor("one"))).toMatchObject({ runsHere: true });
    expect(await joinCluster(wishFor("two"))).toMatchObject({ isMember: true, runsHere: false });
    const open = (machine: string): Promise<Store> =>
      openProjectStore(cluster.file(machine), wishFor(machine).environment);
    const old = await open("one");
    await openRunningStory(old, "US-1");
    await expect(open("two")).rejects.toMatchObject({ code: "CLUSTER_RUNS_ELSEWHERE" });
    await refreshTables(cluster.file("two"), wishFor("two").environment);
    const looking = openReader(cluster.file("two"));
    expect(await looking?.delegation("US-1")).toMatchObject({ state: "running" });
    await looking?.close();
    expect(await joinCluster(wishFor("two"), "take")).toMatchObject({ runsHere: true });
    const taken = await open("two");
    expect(await taken.spend("US-1", 1, usage)).toMatchObject({ kind: "ok" });
    await expect(old.spend("US-1", 1, usage)).rejects.toMatchObject({ code: "CLUSTER_RUNS_ELSEWHERE" });
    for (const store of [old, taken]) await store.close();
    await leaveCluster(wishFor("two"));
    expect(await readCluster(wishFor("one"))).toMatchObject({ holder: undefined, runsHere: false });
  });

  it("refuses the steps of a coordinating process once a newer one has opened it", async () => {
    await joinCluster(wishFor("one"));
    const lead = (onReplaced: () => void = () => undefined): Promise<Store> => {
      const leads = { leaseMs: 1000, onReplaced };
      return openProjectStore(cluster.file("one"), wishFor("one").environment, { leads });
    };
    let tellReplaced = (): void => undefined;
    const replaced = new Promise<void>((resolve) => (tellReplaced = resolve));
    const old = await lead(() => tellReplaced());
    await openRunningStory(old, "US-1");
    const next = await lead();
    await expect(old.spend("US-1", 1, usage)).rejects.toMatchObject({ code: "CLUSTER_RUNS_ELSEWHERE" });
    expect(await next.spend("US-1", 1, usage)).toMatchObject({ kind: "ok" });
    await replaced;
    expect((await next.delegation("US-1"))?.microUsd).toBe(usage.microUsd);
    const task = await openProjectStore(cluster.file("one"), wishFor("one").environment);
    expect(await task.spend("US-1", 1, usage)).toMatchObject({ kind: "ok" });
    expect(await next.spend("US-1", 1, usage)).toMatchObject({ kind: "ok" });
    for (const store of [old, next, task]) await store.close();
  });

  it("keeps its role with a live process, and hands it over once that process has closed", async () => {
    await joinCluster(wishFor("one"));
    await joinCluster(wishFor("two"));
    const leads = { leaseMs: 600_000, onReplaced: () => undefined };
    const store = await openProjectStore(cluster.file("one"), wishFor("one").environment, { leads });
    expect(await readCluster(wishFor("two"))).toMatchObject({ holder: { isAlive: true } });
    await expect(joinCluster(wishFor("two"), "take")).rejects.toMatchObject({
      code: "CLUSTER_RUNS_ELSEWHERE",
    });
    expect(await readCluster(wishFor("one"))).toMatchObject({ runsHere: true });
    await store.close();
    expect(await readCluster(wishFor("two"))).toMatchObject({ holder: { isAlive: false } });
    expect(await joinCluster(wishFor("two"), "take")).toMatchObject({ runsHere: true });
  });

  it("accepts an import that is repeated", async () => {
    await fill("one");
    await importJournal(wishFor("one"));
    await expect(importJournal(wishFor("one"))).resolves.toMatchObject({ isMember: true });
  });
});

describe("a cluster that cannot be used", () => {
  const refusal = async (environment: Record<string, string>): Promise<unknown> =>
    joinCluster({ ...wishFor("one"), environment }).then(
      () => "joined",
      (error: unknown) => error,
    );

  it("is reported with a code, and never with the password", async () => {
    const { port, pathname } = new URL(postgres.url);
    const file = join(cluster.file("."), "..", "address");
    writeFileSync(file, `${postgres.url}\n`);
    const cases: readonly (readonly [Record<string, string>, string])[] = [
      [{}, "CLUSTER_ADDRESS_INVALID"],
      [{ AMBIT_CLUSTER_URL: "mysql://me:hunter2secret@host/db" }, "CLUSTER_ADDRESS_INVALID"],
      [{ AMBIT_CLUSTER_URL: "hunter2secret" }, "CLUSTER_ADDRESS_INVALID"],
      [{ AMBIT_CLUSTER_URL: postgres.url, AMBIT_CLUSTER_URL_FILE: file }, "CLUSTER_ADDRESS_INVALID"],
      [{ AMBIT_CLUSTER_URL_FILE: `${file}.missing` }, "CLUSTER_ADDRESS_INVALID"],
      [{ AMBIT_CLUSTER_URL: "postgresql://me:hunter2secret@127.0.0.1:1/db" }, "CLUSTER_UNREACHABLE"],
      [
        { AMBIT_CLUSTER_URL: `postgresql://postgres:hunter2secret@127.0.0.1:${port}/nothing-here` },
        "CLUSTER_UNREACHABLE",
      ],
      [
        { AMBIT_CLUSTER_URL: `postgresql://nobody-known:hunter2secret@127.0.0.1:${port}${pathname}` },
        "CLUSTER_FORBIDDEN",
      ],
    ];
    for (const [environment, code] of cases) {
      const error = await refusal(environment);
      expect(error).toMatchObject({ code });
      expect(`${String(error)} ${JSON.stringify(error)}`).not.toContain("hunter2secret");
    }
    expect(readMembership(cluster.file("one"))).toBeUndefined();
    expect(await refusal({ AMBIT_CLUSTER_URL_FILE: file })).toBe("joined");
    expect(readFileSync(join(cluster.file("one"), "..", "cluster.json"), "utf8")).not.toContain("postgresql");
  });

  it("is reported to a user without the worker's role, and for an unknown project", async () => {
    await cluster.sql(
      "DO $$ BEGIN CREATE ROLE ambit_test_stranger LOGIN; EXCEPTION WHEN duplicate_object OR unique_violation THEN NULL; END $$",
    );
    const stranger = new URL(postgres.url);
    stranger.username = "ambit_test_stranger";
    await expect(cluster.open("one", { address: addressOf(stranger.href) })).rejects.toMatchObject({
      code: "CLUSTER_FORBIDDEN",
    });
    const join = () => joinCluster(wishFor("one", stranger.href));
    await expect(join()).rejects.toMatchObject({ code: "CLUSTER_FORBIDDEN" });
    await cluster.sql("GRANT ambit_worker TO ambit_test_stranger");
    await expect(join()).resolves.toMatchObject({ isMember: true });
    await cluster.sql("REVOKE ambit_worker FROM ambit_test_stranger");
    await expect(cluster.open("two", { project: "unknown" })).rejects.toMatchObject({
      code: "CLUSTER_NO_PROJECT",
    });
  });
});
