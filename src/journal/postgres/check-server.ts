import { clusterErrors } from "../../errors/cluster.ts";
import type { PgSession } from "./pg-session.ts";
import { clusterVersion } from "./schema.ts";

export interface ServerFacts {
  readonly version: string;
  /** The version of the journal's tables; 0 before the first `ambit cluster init`. */
  readonly schema: number;
  /** How far this machine's clock is ahead of the server's. */
  readonly skewMs: number;
}

const MIN_SERVER = 130_000;
const MAX_SKEW_MS = 30_000;

/** Refuses a server that cannot hold a journal. */
export async function checkServer(session: PgSession): Promise<ServerFacts> {
  const { place } = session.address;
  // It connects first, so that only the query itself counts as travel time.
  await session.run("SELECT 1");
  const before = Date.now();
  const [[facts] = []] = await session.run(
    `SELECT current_setting('server_version_num')::integer AS number, current_setting('server_version') AS version,
       current_setting('server_encoding') AS encoding, pg_is_in_recovery() AS standby,
       (extract(epoch FROM clock_timestamp()) * 1000)::double precision AS now_ms,
       to_regclass('ambit.meta') IS NOT NULL AS is_set_up`,
  );
  const version = String(facts?.["version"]);
  if (Number(facts?.["number"]) < MIN_SERVER)
    throw clusterErrors.unsuitable(place, `it is version ${version}`);
  if (facts?.["encoding"] !== "UTF8")
    throw clusterErrors.unsuitable(place, `its encoding is ${String(facts?.["encoding"])}`);
  if (facts["standby"] === true) throw clusterErrors.unsuitable(place, "it is a standby that only reads");
  const skewMs = Math.round((before + Date.now()) / 2 - Number(facts["now_ms"]));
  if (Math.abs(skewMs) > MAX_SKEW_MS)
    throw clusterErrors.clockOff(place, Math.round(Math.abs(skewMs) / 1000));
  const schema = facts["is_set_up"] === true ? await readSchema(session) : 0;
  if (schema > clusterVersion)
    throw clusterErrors.tooNew(place, `version ${schema}; this ambit knows ${clusterVersion}`);
  return { version, schema, skewMs };
}

async function readSchema(session: PgSession): Promise<number> {
  const [[row] = []] = await session.run("SELECT version FROM ambit.meta");
  return Number(row?.["version"] ?? 0);
}
