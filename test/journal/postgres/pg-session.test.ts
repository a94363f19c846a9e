import { afterAll, beforeAll, expect, it } from "vitest";
import { requireAddress } from "../../../src/journal/cluster.ts";
import { PgSession } from "../../../src/journal/postgres/pg-session.ts";
import { startPostgres, type PostgresService } from "../../services.ts";
import { SilentRelay } from "./silent-relay.ts";

let postgres: PostgresService;
beforeAll(async () => {
  postgres = await startPostgres();
});
afterAll(() => postgres.stop());

it("asks one thing at a time on its connection, so that the driver does not warn", async () => {
  const warnings: string[] = [];
  const hear = ({ message }: Error): void => void warnings.push(message);
  process.on("warning", hear);
  const session = new PgSession(requireAddress({ AMBIT_CLUSTER_URL: postgres.url }));
  try {
    const asked = [1, 2, 3].map((number) => session.run(`SELECT ${number} AS n`));
    const failed = session.run("SELECT 1 / 0").catch((error: unknown) => String(error));
    const after = session.run("SELECT 4 AS n");
    const answers = await Promise.all([...asked, after]);
    expect(answers.map(([rows]) => rows?.[0]?.["n"])).toEqual([1, 2, 3, 4]);
    expect(await failed).toMatch(/zero/);
    expect(warnings).toEqual([]);
  } finally {
    await session.close();
    process.off("warning", hear);
  }
});

it("keeps a new connection although a statement that waited on the lost one fails after it was made", async () => {
  const session = new PgSession(requireAddress({ AMBIT_CLUSTER_URL: postgres.url }));
  try {
    await session.run("SELECT 1");
    const lost = session.run("SELECT pg_terminate_backend(pg_backend_pid())");
    const waiting = session.run("SELECT 2").catch((error: unknown) => String(error));
    const again = lost.catch(() => session.run("SELECT 3 AS n"));
    expect((await again)[0]?.[0]?.["n"]).toBe(3);
    expect(await waiting).toMatch(/CLUSTER_UNREACHABLE|cannot be reached|not queryable/);
  } finally {
    await session.close();
  }
});

it("gives a connection that fell silent up, asks on a new one, and closes", async () => {
  const relay = new SilentRelay(postgres.url);
  const url = await relay.listen();
  const session = new PgSession(requireAddress({ AMBIT_CLUSTER_URL: url }), { answerMs: 500 });
  try {
    await session.run("SELECT 1");
    relay.silence();
    const silent = session.run("SELECT 2");
    await expect(silent).rejects.toMatchObject({ code: "CLUSTER_UNREACHABLE" });
    expect((await session.run("SELECT 3 AS n"))[0]?.[0]?.["n"]).toBe(3);
    relay.silence();
    await session.close();
  } finally {
    await relay.close();
  }
});
