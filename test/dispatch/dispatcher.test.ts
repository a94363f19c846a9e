import { randomUUID } from "node:crypto";
import { setTimeout as delay } from "node:timers/promises";
import {
  afterAll,
  afterEach,
  beforeAll,
  describe,
  expect,
  it,
  type MockInstance,
  onTestFinished,
  vi,
} from "vitest";
import {
  openDispatcher,
  prepareDispatch,
  type Dispatcher,
  type Offer,
} from "../../src/dispatch/open-dispatcher.ts";
import { ClusterFixture } from "../journal/postgres/cluster-fixture.ts";
import { CuttingRelay } from "../journal/postgres/cutting-relay.ts";
import { SilentRelay } from "../journal/postgres/silent-relay.ts";
import { startOwnPostgres, startPostgres, startRedis } from "../services.ts";

const services = {
  postgres: async () => {
    const service = await startPostgres();
    const fixture = new ClusterFixture(service.url);
    // Makes the roles that machines have.
    await fixture.setUp();
    await fixture.remove();
    await prepareDispatch(service.url);
    return service;
  },
  redis: startRedis,
};

it("a machine without an offer gets an answer within seconds, also after the database was away", async () => {
  const own = await startOwnPostgres();
  const fixture = new ClusterFixture(own.url);
  await fixture.setUp();
  await fixture.remove();
  await prepareDispatch(own.url);
  const place = { kind: "postgres", url: own.url, project: randomUUID(), pool: "default" } as const;
  const [machine, coordinator] = [openDispatcher(place), openDispatcher(place)];
  const timers = [vi.spyOn(globalThis, "setTimeout"), vi.spyOn(globalThis, "clearTimeout")] as const;
  try {
    expect(await machine.take()).toBeUndefined();
    await own.crash();
    await machine.take().catch(() => undefined);
    await own.resume();
    for (let round = 0; round < 3; round += 1) expect(await machine.take()).toBeUndefined();
    await coordinator.offer({ id: "A", attempt: 1, priority: 0 });
    expect(await machine.take()).toMatchObject({ id: "A", attempt: 1 });
  } finally {
    await machine.close();
    await coordinator.close();
    await own.stop();
  }
  // A timer of an hour would keep a machine that has left from ending.
  const left = countLongTimers(...timers);
  for (const spy of timers) spy.mockRestore();
  expect(left).toBe(0);
}, 60_000);

it("a machine survives the loss of its connection at any reply of the database", async () => {
  const service = await services.postgres();
  onTestFinished(() => service.stop());
  for (let reply = 1; reply <= REPLIES; reply += 1) {
    const relay = new CuttingRelay(service.url, reply);
    const place = { kind: "postgres", project: randomUUID(), pool: "default" } as const;
    const machine = openDispatcher({ ...place, url: await relay.listen() });
    await machine.take().catch(() => undefined);
    await machine.close();
    await relay.close();
  }
}, 120_000);

/** No connection of a machine that asks for an offer gets as many. */
const REPLIES = 12;
const MINUTE_MS = 60_000;

/** The timers that are set for a minute or longer and were not cleared. */
function countLongTimers(
  set: MockInstance<typeof setTimeout>,
  clear: MockInstance<typeof clearTimeout>,
): number {
  const cleared = new Set<unknown>(clear.mock.calls.map(([timer]) => timer));
  return set.mock.calls.filter(
    ([, ms = 0], index) => ms >= MINUTE_MS && !cleared.has(set.mock.results[index]?.value),
  ).length;
}

describe.each(["postgres", "redis"] as const)("dispatch through BullMQ on %s", (kind) => {
  let service: Awaited<ReturnType<typeof startPostgres>>;
  const opened: Dispatcher[] = [];
  beforeAll(async () => {
    service = await services[kind]();
  });
  afterEach(async () => {
    for (const dispatcher of opened.splice(0)) await dispatcher.close();
  });
  afterAll(() => service.stop());

  const open = (project: string, pool = "default"): Dispatcher => {
    const dispatcher = openDispatcher({ kind, url: service.url, project, pool });
    opened.push(dispatcher);
    return dispatcher;
  };

  const takeNext = async (dispatcher: Dispatcher): Promise<string> => {
    for (;;) {
      const offer = await dispatcher.take();
      if (offer !== undefined) return `${offer.id}.${offer.attempt}`;
    }
  };

  it("gives each offer to one machine", async () => {
    const project = randomUUID();
    const [coordinator, one, other] = [open(project), open(project), open(project)];
    for (const attempt of [1, 2]) await coordinator.offer({ id: "US-007-DEL-001", attempt, priority: 0 });
    const taken = await Promise.all([takeNext(one), takeNext(other)]);
    expect(taken.toSorted()).toEqual(["US-007-DEL-001.1", "US-007-DEL-001.2"]);
  });

  it("adds a waiting offer only once, and a taken one again", async () => {
    const project = randomUUID();
    const [coordinator, machine] = [open(project), open(project)];
    await coordinator.offer({ id: "A", attempt: 1, priority: 0 });
    await coordinator.offer({ id: "A", attempt: 1, priority: 0 });
    expect(await takeNext(machine)).toBe("A.1");
    expect(await machine.take()).toBeUndefined();
    await coordinator.offer({ id: "A", attempt: 1, priority: 0 });
    expect(await takeNext(machine)).toBe("A.1");
  });

  it("keeps the offers of projects apart", async () => {
    const [project, other] = [randomUUID(), randomUUID()];
    await open(project).offer({ id: "A", attempt: 1, priority: 0 });
    expect(await open(other).take()).toBeUndefined();
    expect(await takeNext(open(project))).toBe("A.1");
  });

  it("keeps the pools of a project apart", async () => {
    const project = randomUUID();
    const [plain, gpu] = [open(project), open(project, "gpu")];
    await gpu.offer({ id: "A", attempt: 1, priority: 0 });
    await plain.offer({ id: "B", attempt: 1, priority: 0 });
    expect([await takeNext(plain), await takeNext(gpu)]).toEqual(["B.1", "A.1"]);
  });

  it("brings the more urgent offer first, and of equal ones the older (R189)", async () => {
    const project = randomUUID();
    const [coordinator, machine] = [open(project), open(project)];
    const offers = { A: 0, B: -1, C: 100, D: 1, E: 0, F: -100 };
    for (const [id, priority] of Object.entries(offers))
      await coordinator.offer({ id, attempt: 1, priority });
    const taken: string[] = [];
    for (const _ of Object.keys(offers)) taken.push(await takeNext(machine));
    expect(taken).toEqual(["C.1", "D.1", "A.1", "E.1", "B.1", "F.1"]);
  });

  it("wakes a machine that waits for an offer", async () => {
    const project = randomUUID();
    const [coordinator, machine] = [open(project), open(project)];
    await machine.take();
    const waiting = takeNext(machine);
    await coordinator.offer({ id: "A", attempt: 3, priority: 0 });
    expect(await waiting).toBe("A.3");
  });

  it("gives a connection that fell silent up, and offers on a new one", async () => {
    const relay = new SilentRelay(service.url);
    const place = { kind, project: randomUUID(), pool: "default" } as const;
    const coordinator = openDispatcher({ ...place, url: await relay.listen(), answerMs: 1000 });
    try {
      await coordinator.offer({ id: "A", attempt: 1, priority: 0 });
      relay.silence();
      await expect(coordinator.offer({ id: "B", attempt: 1, priority: 1 })).rejects.toThrow();
      await offerPatiently(coordinator, "C");
      const machine = open(place.project);
      const taken = new Set<string>();
      while (!taken.has("C.1")) taken.add(await takeNext(machine));
      expect(taken).toContain("A.1");
    } finally {
      await coordinator.close();
      await relay.close();
    }
  });

  it("takes the next offer on a new connection once its own fell silent", async () => {
    const relay = new SilentRelay(service.url);
    const place = { kind, project: randomUUID(), pool: "default" } as const;
    const machine = openDispatcher({ ...place, url: await relay.listen(), answerMs: 1000 });
    const coordinator = open(place.project);
    try {
      await coordinator.offer({ id: "A", attempt: 1, priority: 0 });
      expect(await takeNext(machine)).toBe("A.1");
      relay.silence();
      const taken = takePatiently(machine);
      // The silent connection may take one offer with it; the coordinator makes it again.
      for (let attempt = 1; (await Promise.race([taken, delay(1500)])) === undefined; attempt += 1)
        await coordinator.offer({ id: "B", attempt, priority: 0 });
      expect((await taken).id).toBe("B");
    } finally {
      await machine.close();
      await relay.close();
    }
  }, 60_000);
});

/** As a machine does it: a call that fails is made again. */
async function takePatiently(machine: Dispatcher): Promise<Offer> {
  for (;;) {
    const offer = await machine.take().catch(() => undefined);
    if (offer !== undefined) return offer;
  }
}

/** As the coordinator does it: an offer that fails is made again. */
async function offerPatiently(coordinator: Dispatcher, id: string): Promise<void> {
  for (;;)
    try {
      return await coordinator.offer({ id, attempt: 1, priority: -1 });
    } catch {
      // It is made again.
    }
}
