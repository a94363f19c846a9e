import { spawn, spawnSync, type ChildProcess } from "node:child_process";
import { chownSync, existsSync, mkdtempSync, readdirSync, rmSync } from "node:fs";
import { createServer } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setTimeout as delay } from "node:timers/promises";
import { Redis } from "ioredis";
import { Client } from "pg";

/** A running PostgreSQL for one test file. */
export interface PostgresService {
  readonly url: string;
  readonly stop: () => Promise<void>;
}

/** A server that a test can take away and bring back. */
export interface OwnPostgres extends PostgresService {
  /** An immediate shutdown, as after a loss of power: connections break, and nothing more is written. */
  readonly crash: () => Promise<void>;
  readonly resume: () => Promise<void>;
}

/** A running Redis for one test file. */
export type RedisService = PostgresService;

const USUAL = "postgresql://postgres@127.0.0.1:5432/test";
const START_MS = 60_000;

/**
 * `TEST_PG_URL` where it is set; else the database `test` on the usual port, when it answers without a password; else a server
 * of its own in a temporary folder. Without any of the three the tests fail; nothing is skipped.
 */
export async function startPostgres(): Promise<PostgresService> {
  const given = process.env["TEST_PG_URL"];
  if (given !== undefined) return { url: given, stop: async () => undefined };
  if (await answers(USUAL)) return { url: USUAL, stop: async () => undefined };
  return startOwnPostgres();
}

const USUAL_REDIS = "redis://127.0.0.1:6379";

/** The same for Redis, with `TEST_REDIS_URL`. What is acknowledged is on the disk. */
export async function startRedis(): Promise<RedisService> {
  const given = process.env["TEST_REDIS_URL"];
  if (given !== undefined) return { url: given, stop: async () => undefined };
  if (await answersRedis(USUAL_REDIS)) return { url: USUAL_REDIS, stop: async () => undefined };
  const folder = mkdtempSync(join(tmpdir(), "ambit-redis-"));
  const port = await findFreePort();
  const settings = ["--port", String(port), "--bind", "127.0.0.1", "--dir", folder, "--save", ""];
  const durable = ["--appendonly", "yes", "--appendfsync", "always"];
  const server = spawn("redis-server", [...settings, ...durable], { stdio: "ignore" });
  server.once("error", () => undefined);
  const url = `redis://127.0.0.1:${port}`;
  await waitUntilAnswering("Redis", server, () => answersRedis(url));
  return {
    url,
    stop: async () => {
      await stopProcess(server, "SIGINT");
      rmSync(folder, { recursive: true, force: true });
    },
  };
}

async function answersRedis(url: string): Promise<boolean> {
  const client = new Redis(url, { lazyConnect: true, retryStrategy: () => null, connectTimeout: 2000 });
  client.on("error", () => undefined);
  try {
    await client.connect();
    return (await client.ping()) === "PONG";
  } catch {
    return false;
  } finally {
    client.disconnect();
  }
}

async function answers(url: string): Promise<boolean> {
  const client = new Client({ connectionString: url, connectionTimeoutMillis: 2000 });
  client.on("error", () => undefined);
  try {
    await client.connect();
    return true;
  } catch {
    return false;
  } finally {
    await client.end().catch(() => undefined);
  }
}

export async function startOwnPostgres(): Promise<OwnPostgres> {
  const programs = findPrograms();
  const folder = mkdtempSync(join(tmpdir(), "ambit-pg-"));
  const user = findServerUser();
  if (user !== undefined) chownSync(folder, user.uid, user.gid);
  const port = await findFreePort();
  const data = join(folder, "data");
  const made = spawnSync(
    join(programs, "initdb"),
    ["-D", data, "-U", "postgres", "-A", "trust", "-E", "UTF8", "--locale=C"],
    {
      ...user,
      cwd: folder,
      encoding: "utf8",
    },
  );
  if (made.status !== 0) throw new Error(`initdb failed: ${made.stderr}`);
  const settings = [
    `-p${port}`,
    "-k",
    folder,
    "-c",
    "listen_addresses=127.0.0.1",
    "-c",
    "max_connections=200",
  ];
  const url = `postgresql://postgres@127.0.0.1:${port}/postgres`;
  const start = async (): Promise<ChildProcess> => {
    const server = spawn(join(programs, "postgres"), ["-D", data, ...settings], {
      ...user,
      cwd: folder,
      stdio: "ignore",
    });
    await waitUntilAnswering("PostgreSQL", server, () => answers(url));
    return server;
  };
  let server = await start();
  return {
    url,
    crash: () => stopProcess(server, "SIGQUIT"),
    resume: async () => void (server = await start()),
    stop: async () => {
      await stopProcess(server, "SIGINT");
      rmSync(folder, { recursive: true, force: true });
    },
  };
}

/** The folder of PostgreSQL's programs. Debian keeps them out of the search path, one folder per version. */
export function findPrograms(): string {
  const root = "/usr/lib/postgresql";
  const versions = existsSync(root)
    ? readdirSync(root).toSorted((one, other) => Number(other) - Number(one))
    : [];
  const folders = [
    ...versions.map((version) => join(root, version, "bin")),
    ...(process.env["PATH"] ?? "").split(":"),
  ];
  const found = folders.find((folder) => existsSync(join(folder, "initdb")));
  if (found === undefined)
    throw new Error("These tests need PostgreSQL: set TEST_PG_URL, or run scripts/system-packages.sh.");
  return found;
}

/** PostgreSQL refuses to run as root. */
export function findServerUser(): { readonly uid: number; readonly gid: number } | undefined {
  if (process.getuid?.() !== 0) return undefined;
  const [uid, gid] = ["-u", "-g"].map((flag) =>
    Number(spawnSync("id", [flag, "postgres"], { encoding: "utf8" }).stdout),
  );
  if (!uid || !gid) throw new Error("These tests run as root and need the user postgres.");
  return { uid, gid };
}

export function findFreePort(): Promise<number> {
  return new Promise((resolve, reject) => {
    const server = createServer().once("error", reject);
    server.listen(0, "127.0.0.1", () => {
      const address = server.address();
      server.close(() => resolve(typeof address === "object" && address !== null ? address.port : 0));
    });
  });
}

async function waitUntilAnswering(
  name: string,
  server: ChildProcess,
  isAnswering: () => Promise<boolean>,
): Promise<void> {
  const giveUpAt = performance.now() + START_MS;
  while (!(await isAnswering())) {
    const isThere = server.pid !== undefined && server.exitCode === null;
    if (!isThere) throw new Error(`${name} did not start: run scripts/system-packages.sh.`);
    if (performance.now() > giveUpAt) throw new Error(`${name} did not start`);
    await delay(50);
  }
}

/** To PostgreSQL, SIGINT asks for a fast shutdown, SIGQUIT for an immediate one. */
async function stopProcess(server: ChildProcess, signal: "SIGINT" | "SIGQUIT"): Promise<void> {
  if (server.exitCode !== null) return;
  const ended = new Promise((resolve) => server.once("exit", resolve));
  server.kill(signal);
  await ended;
}
