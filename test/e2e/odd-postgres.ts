import { randomBytes } from "node:crypto";
import type { Socket } from "node:net";
import { Client } from "pg";
import { DatabaseRelay } from "../journal/postgres/database-relay.ts";

/** A database of its own on the test's server, whose answers a test can change. */
export interface OddDatabase {
  readonly url: string;
  readonly sql: (text: string) => Promise<void>;
  readonly remove: () => Promise<void>;
}

export async function makeDatabase(server: string): Promise<OddDatabase> {
  const name = `ambit_odd_${randomBytes(6).toString("hex")}`;
  const url = new URL(server);
  url.pathname = `/${name}`;
  await runSql(server, `CREATE DATABASE ${name} TEMPLATE template0 ENCODING 'UTF8'`);
  return {
    url: url.href,
    sql: (text) => runSql(url.href, text),
    remove: () => runSql(server, `DROP DATABASE IF EXISTS ${name} WITH (FORCE)`),
  };
}

async function runSql(url: string, text: string): Promise<void> {
  const client = new Client({ connectionString: url });
  await client.connect();
  try {
    await client.query(text);
  } finally {
    await client.end();
  }
}

/** Every later connection gets this function in place of the server's own, until that is undone. */
export async function replaceFunction(
  database: OddDatabase,
  definition: string,
): Promise<() => Promise<void>> {
  const name = new URL(database.url).pathname.slice(1);
  await database.sql(
    `CREATE SCHEMA odd; CREATE FUNCTION odd.${definition}; GRANT USAGE ON SCHEMA odd TO PUBLIC;
     ALTER DATABASE ${name} SET search_path = odd, pg_catalog, public`,
  );
  return () => database.sql(`ALTER DATABASE ${name} RESET search_path; DROP SCHEMA odd CASCADE`);
}

/** Drops a setting that a session asks for, as a pooler in transaction mode does. */
export class DroppingPooler extends DatabaseRelay {
  protected relay(client: Socket): void {
    const { server } = this.join(client);
    server.on("data", (bytes) => client.write(bytes));
    client.on("data", (bytes) => server.write(dropSetting(bytes)));
  }
}

const SETTING = Buffer.from("idle_in_transaction_session_timeout\u00002000\u0000");

/** The packet keeps its length: the session gets no timeout. */
function dropSetting(bytes: Buffer): Buffer {
  const at = bytes.indexOf(SETTING);
  if (at === -1) return bytes;
  const changed = Buffer.from(bytes);
  changed.write("0000", at + SETTING.length - 5);
  return changed;
}
