import { escapeLiteral } from "pg";
import { emptyChainHash } from "../model/hash-chain.ts";
import { checkServer } from "./check-server.ts";
import type { PgSession } from "./pg-session.ts";
import { clusterMigrations } from "./schema.ts";

/** The bytes of "ambit"; one migration at a time in each database. */
const LOCK = 0x61_6d_62_69;

/** A process on another database of the same server may create the same roles at the same moment. */
const ROLES = ["ambit_owner", "ambit_worker", "ambit_reader"]
  .map(
    (role) =>
      `DO $$ BEGIN CREATE ROLE ${role} NOLOGIN; EXCEPTION WHEN duplicate_object OR unique_violation THEN NULL; END $$`,
  )
  .join("; ");

/** Brings the schema up to this version and adds the project. Existing tables and projects stay as they are. */
export async function setUpCluster(session: PgSession, project: string): Promise<void> {
  await checkServer(session);
  await inTransaction(session, async () => {
    await session.run(`SELECT pg_advisory_xact_lock(${LOCK})`);
    // Read again: another machine may have migrated while we waited for the lock.
    const { schema } = await checkServer(session);
    if (schema === 0) await createSchema(session);
    await session.run("SET LOCAL ROLE ambit_owner");
    for (const [index, step] of clusterMigrations.entries())
      if (index >= schema) await session.run(`${step}; UPDATE ambit.meta SET version = ${index + 1}`);
    await session.run(
      `INSERT INTO ambit.head (project, seq, hash) VALUES (${escapeLiteral(project)}, 0, '${emptyChainHash}')
         ON CONFLICT DO NOTHING`,
    );
  });
}

/**
 * The objects belong to a role, so that several people can own a cluster. The user that sets it up may also work in it.
 */
async function createSchema(session: PgSession): Promise<void> {
  await session.run(
    `${ROLES}; GRANT ambit_owner, ambit_worker TO CURRENT_USER;
     CREATE SCHEMA ambit AUTHORIZATION ambit_owner; SET LOCAL ROLE ambit_owner;
     CREATE TABLE ambit.meta (version integer NOT NULL); INSERT INTO ambit.meta VALUES (0)`,
  );
}

async function inTransaction(session: PgSession, action: () => Promise<void>): Promise<void> {
  await session.run("BEGIN");
  try {
    await action();
    await session.run("COMMIT");
  } catch (error) {
    await session.run("ROLLBACK").catch(() => undefined);
    throw error;
  }
}
