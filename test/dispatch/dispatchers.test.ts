import { randomUUID } from "node:crypto";
import { afterAll, beforeAll, expect, it } from "vitest";
import { Dispatchers, prepareDispatch, type Dispatcher } from "../../src/dispatch/open-dispatcher.ts";
import { ClusterFixture } from "../journal/postgres/cluster-fixture.ts";
import { startPostgres, type PostgresService } from "../services.ts";

/** As many as a machine may serve. */
const POOLS = 8;

let postgres: PostgresService;
beforeAll(async () => {
  postgres = await startPostgres();
  const fixture = new ClusterFixture(postgres.url);
  // Makes the roles that machines have.
  await fixture.setUp();
  await fixture.remove();
  await prepareDispatch(postgres.url);
});
afterAll(() => postgres.stop());

it("brings offers to a machine that waits at the queues of all the pools it may serve", async () => {
  const place = { kind: "postgres", url: postgres.url, project: randomUUID() } as const;
  const [machine, coordinator] = [new Dispatchers(place), new Dispatchers(place)];
  const pools = [...Array.from({ length: POOLS }, (_, index) => `pool-${index}`), "node.north"];
  try {
    const waiting = pools.map((pool) => takeNext(machine.of(pool)));
    for (const pool of pools) await coordinator.of(pool).offer({ id: pool, attempt: 1, priority: 0 });
    expect(await Promise.all(waiting)).toEqual(pools);
  } finally {
    await Promise.all([machine.close(), coordinator.close()]);
  }
}, 30_000);

async function takeNext(dispatcher: Dispatcher): Promise<string> {
  for (;;) {
    const offer = await dispatcher.take();
    if (offer !== undefined) return offer.id;
  }
}
