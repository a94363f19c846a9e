import { assertSchemaCompatibility, DEFAULT_SCHEMA, LATEST_SCHEMA_VERSION, runMigrations } from "bullmq";
import { Client } from "pg";

/** BullMQ uses this schema for a pool of connections that it did not make, and allows no other. */
export const DISPATCH_SCHEMA: string = DEFAULT_SCHEMA;

const CONNECT_MS = 10_000;

/** Makes BullMQ's tables and lets machines use them. If the tables exist already, any machine's user is enough. */
export async function preparePostgres(url: string): Promise<void> {
  const client = new Client({
    connectionString: url,
    connectionTimeoutMillis: CONNECT_MS,
    application_name: "ambit dispatch",
  });
  client.on("error", () => undefined);
  await client.connect();
  try {
    if (await isPrepared(client)) return;
    await runMigrations(client);
    await client.query(
      `GRANT USAGE ON SCHEMA ${DISPATCH_SCHEMA} TO ambit_worker;
       GRANT SELECT, INSERT, UPDATE, DELETE ON ALL TABLES IN SCHEMA ${DISPATCH_SCHEMA} TO ambit_worker;
       GRANT USAGE, SELECT ON ALL SEQUENCES IN SCHEMA ${DISPATCH_SCHEMA} TO ambit_worker;
       GRANT EXECUTE ON ALL FUNCTIONS IN SCHEMA ${DISPATCH_SCHEMA} TO ambit_worker`,
    );
  } finally {
    await client.end();
  }
}

async function isPrepared(client: Client): Promise<boolean> {
  try {
    return (await assertSchemaCompatibility(client)) >= LATEST_SCHEMA_VERSION;
  } catch {
    return false;
  }
}
