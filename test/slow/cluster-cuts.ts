/**
 * Cuts connections to PostgreSQL before, during and after commits (`npm run test:cluster -- --outages` stops the server):
 *   npm run test:cluster-cuts -- --cuts 1000
 * Four machines book on one journal. Fails when a step is missing or booked twice, or when the control, which repeats a step without a look, goes unnoticed.
 */
import { parseArgs } from "node:util";
import type { PostgresStore } from "../../src/journal/postgres/postgres-store.ts";
import { addressOf, ClusterFixture, openRunningStory, usage } from "../journal/postgres/cluster-fixture.ts";
import { CuttingProxy } from "../journal/postgres/cutting-proxy.ts";
import { startPostgres } from "../services.ts";

const { values } = parseArgs({ options: { cuts: { type: "string", default: "1000" } } });

const MACHINES = 4;
const SHARE = 0.5;

process.exitCode = await main();

async function main(): Promise<number> {
  const postgres = await startPostgres();
  try {
    const cuts = Number(values.cuts);
    const began = performance.now();
    const real = await cutSteps(postgres.url, cuts, false);
    const seconds = ((performance.now() - began) / 1000).toFixed(0);
    console.log(
      `${real.before} cuts before and ${real.after} after the commit in ${seconds} s: ${real.steps} steps, ${real.stored} stored, ${real.booked} of ${real.steps * usage.microUsd} micro-dollars, chain ${real.isWhole ? "whole" : "broken"}`,
    );
    const control = await cutSteps(postgres.url, 20, true);
    console.log(
      `control, repeating blindly: ${control.steps} steps, ${control.stored} stored after ${control.after} cuts after the commit`,
    );
    const isRight = real.stored === real.steps && real.booked === real.steps * usage.microUsd && real.isWhole;
    return isRight && control.stored > control.steps ? 0 : 1;
  } finally {
    await postgres.stop();
  }
}

interface Counted {
  readonly before: number;
  readonly after: number;
  readonly steps: number;
  readonly stored: number;
  readonly booked: number;
  readonly isWhole: boolean;
}

async function cutSteps(url: string, cuts: number, repeatsBlindly: boolean): Promise<Counted> {
  const cluster = new ClusterFixture(url);
  const proxy = new CuttingProxy(url);
  try {
    await cluster.setUp();
    const address = addressOf(await proxy.listen());
    const names = Array.from({ length: MACHINES }, (_, index) => `m${index}`);
    const stores = await Promise.all(names.map((name) => cluster.open(name, { address, repeatsBlindly })));
    for (const [index, store] of stores.entries()) await openRunningStory(store, `US-${index}`);
    proxy.share = SHARE;
    const counts = await Promise.all(
      stores.map((store, index) => spendUntilCut({ store, proxy, cuts, index })),
    );
    proxy.share = 0;
    const steps = counts.reduce((sum, count) => sum + count, 0);
    const booked = await Promise.all(
      stores.map(async (store, index) => (await store.delegation(`US-${index}`))?.microUsd ?? 0),
    );
    const [row] = await cluster.sql(
      `SELECT count(*) FILTER (WHERE body::json->>'type' = 'usage-reported')::integer AS n,
         bool_and(hash = encode(sha256(convert_to(coalesce(before, repeat('0', 64)) || chr(10) || body, 'UTF8')), 'hex')) AS whole
       FROM (SELECT body, hash, lag(hash) OVER (ORDER BY seq) AS before FROM ambit.events
         WHERE project = '${cluster.project}') AS chain`,
    );
    return {
      before: proxy.cutsBefore,
      after: proxy.cutsAfter,
      steps,
      stored: Number(row?.["n"]),
      booked: booked.reduce((sum, micro) => sum + micro, 0),
      isWhole: row?.["whole"] === true,
    };
  } finally {
    await cluster.remove();
    await proxy.close();
  }
}

interface Spending {
  readonly store: PostgresStore;
  readonly proxy: CuttingProxy;
  readonly cuts: number;
  readonly index: number;
}

async function spendUntilCut({ store, proxy, cuts, index }: Spending): Promise<number> {
  let steps = 0;
  for (; proxy.cutsBefore + proxy.cutsAfter < cuts; steps += 1) await store.spend(`US-${index}`, 1, usage);
  return steps;
}
