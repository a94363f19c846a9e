import { randomUUID } from "node:crypto";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { defaultLimits } from "../../../src/contract/limits.ts";
import { readClusterAddress, type ClusterAddress } from "../../../src/journal/postgres/address.ts";
import { openClusterStore } from "../../../src/journal/postgres/open-cluster-store.ts";
import { PgSession, type PgRows } from "../../../src/journal/postgres/pg-session.ts";
import type { ClusterPlace, PostgresStore } from "../../../src/journal/postgres/postgres-store.ts";
import { setUpCluster } from "../../../src/journal/postgres/set-up-cluster.ts";
import type { Lease, Store } from "../../../src/journal/store.ts";

export const lease: Lease = { owner: "test", leaseMs: 60_000, maxConcurrent: 64 };

export function addressOf(url: string): ClusterAddress {
  const address = readClusterAddress({ AMBIT_CLUSTER_URL: url });
  if (address === undefined) throw new Error("no address");
  return address;
}

/** One project in a cluster, with any number of machines: each has a folder of its own. */
export class ClusterFixture {
  readonly project: string = randomUUID();
  readonly url: string;
  readonly #folder: string = mkdtempSync(join(tmpdir(), "ambit-cluster-"));
  readonly #stores: PostgresStore[] = [];
  readonly #session: PgSession;

  constructor(url: string) {
    this.url = url;
    this.#session = new PgSession(addressOf(url));
  }

  setUp(): Promise<void> {
    return setUpCluster(this.#session, this.project);
  }

  file(machine: string): string {
    return join(this.#folder, machine, "ambit.db");
  }

  async open(machine: string, more: Partial<ClusterPlace> = {}): Promise<PostgresStore> {
    const place = { address: addressOf(this.url), project: this.project, ...more };
    const store = await openClusterStore(this.file(machine), place);
    this.#stores.push(store);
    return store;
  }

  async sql(text: string): Promise<PgRows> {
    return (await this.#session.run(text)).at(-1) ?? [];
  }

  async remove(): Promise<void> {
    for (const store of this.#stores) await store.close().catch(() => undefined);
    await this.#session.close();
    rmSync(this.#folder, { recursive: true, force: true });
  }
}

/** A story whose manager runs, so that it can spend and delegate. */
export async function openRunningStory(store: Store, id: string): Promise<void> {
  await store.openStory({ id, kind: "story", title: "t", agent: "claude", limits: defaultLimits });
  await store.begin(id, 1, lease);
}

export const usage = {
  inputTokens: 1,
  cachedTokens: 0,
  outputTokens: 1,
  microUsd: 7,
  source: "reported",
} as const;
