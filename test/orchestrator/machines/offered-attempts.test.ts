import { execFileSync } from "node:child_process";
import { mkdtempSync, realpathSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, afterEach, beforeAll, beforeEach, expect, it } from "vitest";
import { MACHINE_PROTOCOL, nameMachineOwner } from "../../../src/contract/machine-owner.ts";
import { Machines } from "../../../src/journal/machines.ts";
import type { PostgresStore } from "../../../src/journal/postgres/postgres-store.ts";
import { OfferedAttempts } from "../../../src/orchestrator/machines/offered-attempts.ts";
import { writeMembership } from "../../../src/journal/postgres/membership.ts";
import { readUnservedWork } from "../../../src/app/project/unserved-work.ts";
import { Hub } from "../../../src/workspace/hub.ts";
import { openRepository } from "../../../src/workspace/repository.ts";
import { defaultLimits } from "../../../src/contract/limits.ts";
import { addressOf, ClusterFixture } from "../../journal/postgres/cluster-fixture.ts";
import { startPostgres, type PostgresService } from "../../services.ts";
import { until } from "../../e2e/project.ts";

let postgres: PostgresService;
let fixture: ClusterFixture;
let folder: string;
let store: PostgresStore;
let machines: Machines;
const opened: OfferedAttempts[] = [];
let isFull = false;
/** What carries offers does not answer. */
let isAway = false;
beforeAll(async () => {
  postgres = await startPostgres();
});
afterAll(() => postgres.stop());
beforeEach(async () => {
  fixture = new ClusterFixture(postgres.url);
  await fixture.setUp();
  folder = realpathSync(mkdtempSync(join(tmpdir(), "ambit-offered-")));
  store = await fixture.open("coordinator");
  machines = new Machines(addressOf(postgres.url), fixture.project);
});
afterEach(async () => {
  for (const one of opened.splice(0)) one.stop();
  await machines.close();
  await fixture.remove();
  rmSync(folder, { recursive: true, force: true });
});

const machine = {
  machine: "id",
  incarnation: "one",
  draining: false,
  version: "0",
  protocol: MACHINE_PROTOCOL,
  pools: ["default"],
};
const openStory = (id: string, agent = "a") =>
  store.openStory({ id, kind: "story", title: "t", agent, limits: defaultLimits });

/** A coordinator whose offers go nowhere. */
async function coordinate(
  offersOnce: boolean,
  protocol: number = MACHINE_PROTOCOL,
): Promise<{ offers: string[]; attempts: OfferedAttempts }> {
  const root = join(folder, "project");
  const hub = join(folder, "hub.git");
  execFileSync("git", ["init", "--quiet", root]);
  execFileSync("git", ["init", "--quiet", "--bare", hub]);
  const host = { searchPath: process.env["PATH"] ?? "", home: folder };
  const repository = await openRepository(root, host);
  const offers: string[] = [];
  const dispatcher = {
    offer: async ({ id, attempt }: { id: string; attempt: number }) => {
      if (isAway) throw new Error("nothing answers");
      offers.push(`${id}.${attempt}`);
    },
    take: async () => undefined,
    close: async () => undefined,
  };
  const attempts = new OfferedAttempts({
    store,
    machines,
    dispatchers: { of: () => dispatcher },
    poolOf: (agent) => (agent === "painter" ? "gpu" : "default"),
    hub: new Hub({ url: hub, repository }),
    leaseMs: 10_000,
    log: () => undefined,
    checkBase: async () => undefined,
    offersOnce,
    protocol,
    findFullProvider: ({ agent }) => (agent === "refused" && isFull ? "anthropic" : undefined),
    tellAfterMs: 1500,
  });
  opened.push(attempts);
  attempts.follow(
    () => undefined,
    () => undefined,
  );
  return { offers, attempts };
}

it("offers no more attempts than live machines have slots, and repeats offers that no machine took", async () => {
  await machines.announce({ ...machine, name: "w1", slots: 2, used: 1 });
  for (const id of ["A", "B"]) await openStory(id);
  const { offers, attempts } = await coordinate(false);
  // One may be under way when the test ends.
  const tell = () => machines.announce({ ...machine, name: "w1", slots: 2, used: 1 }).catch(() => false);
  const alive = setInterval(() => void tell(), 1000);
  for (const id of ["A", "B"]) void store.delegation(id).then((one) => one && attempts.run(one));
  await until("the first is offered twice", () => offers.length >= 2);
  clearInterval(alive);
  expect(new Set(offers).size).toBe(1);
});

it("says that what carries offers does not answer, until it does", async () => {
  isAway = true;
  await machines.announce({ ...machine, name: "w1", slots: 1, used: 0 });
  await openStory("A");
  const { offers, attempts } = await coordinate(false);
  const tell = () => machines.announce({ ...machine, name: "w1", slots: 1, used: 0 }).catch(() => false);
  const alive = setInterval(() => void tell(), 1000);
  try {
    const story = await store.delegation("A");
    if (story !== undefined) void attempts.run(story);
    await until("it is said", () => attempts.whyWaiting("A")?.includes("does not answer") === true);
    isAway = false;
    await until("it is offered", () => offers.length > 0);
    await until("it is said no more", () => attempts.whyWaiting("A") === undefined);
  } finally {
    isAway = false;
    clearInterval(alive);
  }
});

it("offers nothing for a provider whose account is full, until it has room", async () => {
  isFull = true;
  await machines.announce({ ...machine, name: "w1", slots: 4, used: 0 });
  await openStory("A", "refused");
  await openStory("B");
  const { offers, attempts } = await coordinate(true);
  const [refused, other] = [await store.delegation("A"), await store.delegation("B")];
  if (refused !== undefined) void attempts.run(refused);
  if (other !== undefined) void attempts.run(other);
  await until("the other is offered", () => offers.length > 0);
  expect([offers, attempts.whyWaiting("A")]).toEqual([
    ["B.1"],
    expect.stringContaining("waits for provider anthropic"),
  ]);
  isFull = false;
  await machines.announce({ ...machine, name: "w1", slots: 4, used: 0 });
  await until("it is offered as well", () => offers.includes("A.1"));
});

it("offers only once without the defence (control)", async () => {
  await machines.announce({ ...machine, name: "w1", slots: 2, used: 0 });
  await openStory("A");
  const { offers, attempts } = await coordinate(true);
  void store.delegation("A").then((one) => one && attempts.run(one));
  await until("it is offered", () => offers.length > 0);
  // Longer than an offer waits before it is made again.
  await new Promise((resolve) => setTimeout(resolve, 7000));
  expect(offers).toEqual(["A.1"]);
});

it("waits for an attempt that a machine runs, and takes it back when that machine is silent", async () => {
  await openStory("A");
  const owner = nameMachineOwner("w1", "one");
  await store.begin("A", 1, { owner, leaseMs: 1500, maxConcurrent: 4 });
  const { attempts } = await coordinate(false);
  const running = await store.delegation("A");
  if (running === undefined) throw new Error("not there");
  expect(await attempts.isHeld(running)).toBe(true);
  await attempts.run(running);
  expect(await store.delegation("A")).toMatchObject({ state: "queued", attempt: 1 });
});

it("refuses the name of another live machine, and gives it back to the same one", async () => {
  const facts = { ...machine, name: "w1", slots: 2, used: 0 };
  expect(await machines.announce(facts)).toBe(true);
  expect(await machines.announce({ ...facts, incarnation: "two" })).toBe(true);
  expect(await machines.announce({ ...facts, machine: "other" })).toBe(false);
  await machines.depart({ ...facts, incarnation: "two" });
  expect(await machines.announce({ ...facts, machine: "other" })).toBe(true);
});

it("offers to machines of the agent's pool only, and says what is missing", async () => {
  const north = { ...machine, name: "north", slots: 2, used: 0 };
  await machines.announce(north);
  await openStory("A", "painter");
  const { offers, attempts } = await coordinate(false);
  void store.delegation("A").then((one) => one && attempts.run(one));
  await until("the machines are known", () => attempts.whyWaiting("A")?.includes("pool gpu") === true);
  expect(offers).toEqual([]);
  await machines.announce({ ...north, name: "south", pools: ["gpu"], machine: "other" });
  await until("it is offered", () => offers.length > 0);
  expect(attempts.whyWaiting("A")).toBeUndefined();
});

it("offers the most urgent first, also to a machine of several pools (R189)", async () => {
  for (const [id, agent] of [["A"], ["B", "painter"], ["C"]] as const) await openStory(id, agent);
  const { offers, attempts } = await coordinate(true);
  const priorities = { A: 0, B: 5, C: 9 };
  for (const [id, priority] of Object.entries(priorities)) {
    const delegation = await store.delegation(id);
    if (delegation !== undefined) void attempts.run({ ...delegation, priority });
  }
  const both = { ...machine, name: "w1", pools: ["gpu", "default"] };
  await machines.announce({ ...both, slots: 2, used: 0 });
  await until("two are offered", () => offers.length >= 2);
  expect(offers).toEqual(["C.1", "B.1"]);
  expect(await machines.list()).toMatchObject([{ name: "w1", pools: ["gpu", "default"] }]);
});

it("reports after a while that no machine serves the pool, until one does", async () => {
  await openStory("A", "painter");
  writeMembership(fixture.file("coordinator"), fixture.project);
  const { attempts } = await coordinate(false);
  const readUnserved = async () =>
    readUnservedWork(fixture.file("coordinator"), store, await store.storyTree("A"));
  expect(await readUnserved()).toEqual([]);
  void store.delegation("A").then((one) => one && attempts.run(one));
  await until("it is told", async () => (await readUnserved()).length > 0);
  expect(await readUnserved()).toMatchObject([
    {
      story: "A",
      delegation: "A",
      text: "It waits: no machine serves the pool gpu; start ambit worker --pool gpu on one",
    },
  ]);
  // All its slots are taken, so that the work still waits, for another reason.
  await machines.announce({ ...machine, name: "south", pools: ["gpu"], slots: 1, used: 1 });
  await until("it is told no more", async () => (await readUnserved()).length === 0);
  expect(await store.delegation("A")).toMatchObject({ state: "queued" });
});

it.each([
  { coordinator: MACHINE_PROTOCOL, takes: ["same", "newer"], leaves: [] },
  { coordinator: MACHINE_PROTOCOL + 1, takes: ["newer"], leaves: ["same"] },
])(
  "a coordinator of version $coordinator works with its own and later versions, and asks earlier ones to leave",
  async ({ coordinator, takes, leaves }) => {
    const same = { ...machine, name: "same", slots: 1, used: 0 };
    await machines.announce(same);
    await machines.announce({ ...same, name: "newer", machine: "other", protocol: MACHINE_PROTOCOL + 1 });
    for (const id of ["A", "B", "C"]) await openStory(id);
    const { offers, attempts } = await coordinate(true, coordinator);
    for (const id of ["A", "B", "C"]) void store.delegation(id).then((one) => one && attempts.run(one));
    await until("as many are offered as there are slots", () => offers.length === takes.length);
    for (const name of takes) expect(await machines.readWish(name)).toBeUndefined();
    for (const name of leaves) expect(await machines.readWish(name)).toBe("update");
  },
);

it("carries a request to a machine, and blocks the name of a removed one", async () => {
  const facts = { ...machine, name: "w1", slots: 2, used: 0 };
  expect(await machines.ask("w1", "drain")).toBe(false);
  await machines.announce(facts);
  expect(await machines.ask("w1", "drain")).toBe(true);
  expect(await machines.readWish("w1")).toBe("drain");
  await machines.announce({ ...facts, incarnation: "two" });
  expect(await machines.readWish("w1")).toBeUndefined();
  await machines.ask("w1", "remove");
  expect(await machines.announce(facts)).toBe(false);
  // A coordinator may ask a moment after a person has.
  expect(await machines.ask("w1", "update")).toBe(false);
  expect(await machines.announce(facts)).toBe(false);
  await machines.depart(facts);
  expect(await machines.announce({ ...facts, machine: "other" })).toBe(false);
  expect(await machines.list()).toEqual([]);
});
