import { afterAll, afterEach, beforeAll, beforeEach, expect, it } from "vitest";
import { systemClock } from "../../../src/base/clock.ts";
import { Board } from "../../../src/journal/machines.ts";
import { SharedGates } from "../../../src/orchestrator/machines/shared-gates.ts";
import { RateGate } from "../../../src/scheduler/rate-gate.ts";
import { until } from "../../e2e/project.ts";
import { addressOf, ClusterFixture } from "../../journal/postgres/cluster-fixture.ts";
import { startPostgres, type PostgresService } from "../../services.ts";

let postgres: PostgresService;
let fixture: ClusterFixture;
const opened: { close(): unknown }[] = [];
beforeAll(async () => {
  postgres = await startPostgres();
});
afterAll(() => postgres.stop());
beforeEach(async () => {
  fixture = new ClusterFixture(postgres.url);
  await fixture.setUp();
});
afterEach(async () => {
  for (const one of opened.splice(0)) await one.close();
  await fixture.remove();
});

const HOUR_MS = 3_600_000;
const nowMs = (): number => systemClock.monotonicMs();

/** The gate of one machine. */
async function join(): Promise<RateGate> {
  const rates = new RateGate(() => 0);
  const board = new Board(addressOf(postgres.url), fixture.project);
  opened.push(await SharedGates.open({ board, rates, clock: systemClock }), board);
  return rates;
}

const waitOf = (rates: RateGate, provider: string): number =>
  (rates.closedUntil(provider, nowMs()) ?? nowMs()) - nowMs();

it("a provider's refusal of one machine closes the gate of every machine", async () => {
  const [one, other] = [await join(), await join()];
  one.closeGate("anthropic", { nowMs: nowMs(), retryAfterMs: HOUR_MS });
  await until("the other has heard of it", () => other.closedUntil("anthropic", nowMs()) !== undefined);
  expect(waitOf(other, "anthropic")).toBeGreaterThan(HOUR_MS / 2);
  expect(other.closedUntil("openai", nowMs())).toBeUndefined();
  expect(waitOf(await join(), "anthropic")).toBeGreaterThan(HOUR_MS / 2);
});

it("the latest of several times counts for a closed gate", async () => {
  const [one, other] = [await join(), await join()];
  one.closeGate("anthropic", { nowMs: nowMs(), retryAfterMs: 2 * HOUR_MS });
  await until("the first is known", () => waitOf(other, "anthropic") > HOUR_MS);
  const third = new Board(addressOf(postgres.url), fixture.project);
  opened.push(third);
  await third.closeGate({ provider: "anthropic", waitMs: 1000 });
  const [closed] = await third.listClosedGates();
  expect(closed?.waitMs).toBeGreaterThan(HOUR_MS);
  expect(waitOf(one, "anthropic")).toBeGreaterThan(HOUR_MS);
});

it("the gates of another project are not visible", async () => {
  const one = await join();
  one.closeGate("anthropic", { nowMs: nowMs(), retryAfterMs: HOUR_MS });
  const board = new Board(addressOf(postgres.url), fixture.project);
  opened.push(board);
  await until("it is stored", async () => (await board.listClosedGates()).length === 1);
  const stranger = new ClusterFixture(postgres.url);
  await stranger.setUp();
  const foreign = new Board(addressOf(postgres.url), stranger.project);
  opened.push(foreign);
  expect(await foreign.listClosedGates()).toEqual([]);
  await stranger.remove();
});
