import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { randomUUID } from "node:crypto";
import { afterAll, beforeAll } from "vitest";
import { readClusterAddress } from "../../../src/journal/postgres/address.ts";
import { openClusterStore } from "../../../src/journal/postgres/open-cluster-store.ts";
import { PgSession } from "../../../src/journal/postgres/pg-session.ts";
import { setUpCluster } from "../../../src/journal/postgres/set-up-cluster.ts";
import { startPostgres, type PostgresService } from "../../services.ts";
import { describeLateWords } from "../late-words.ts";
import { describeStore, type StoreFixture } from "../store-conformance.ts";

let postgres: PostgresService;
beforeAll(async () => {
  postgres = await startPostgres();
});
afterAll(() => postgres.stop());

const create = (): StoreFixture => {
  const folder = mkdtempSync(join(tmpdir(), "ambit-store-"));
  const project = randomUUID();
  let now = Date.parse("2026-01-20T10:30:00Z");
  const clock = { wallMs: () => now, monotonicMs: () => now };
  return {
    open: async () => {
      const address = readClusterAddress({ AMBIT_CLUSTER_URL: postgres.url });
      if (address === undefined) throw new Error("no address");
      const session = new PgSession(address);
      await setUpCluster(session, project);
      await session.close();
      return openClusterStore(join(folder, "ambit.db"), { address, project, clock });
    },
    remove: async () => rmSync(folder, { recursive: true, force: true }),
    advance: (milliseconds) => (now += milliseconds),
  };
};
describeStore("PostgreSQL store", create);
describeLateWords("PostgreSQL store", create);
