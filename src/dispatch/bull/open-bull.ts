import { Socket } from "node:net";
import { setTimeout as delay } from "node:timers/promises";
import { createPostgresBackend, isPgPool, type PgPool, Queue, Worker, withBackend } from "bullmq";
import { Redis } from "ioredis";
import { Pool } from "pg";
import { BullDispatcher, type BullParts } from "./bull-dispatcher.ts";
import { DEFAULT_POOL } from "../../contract/machine-owner.ts";
import type { Dispatcher, DispatchPlace, Offer } from "./dispatcher.ts";
import { DISPATCH_SCHEMA } from "./prepare-postgres.ts";

const PREFIX = "ambit";
/** For offers, which are short. */
const MAX_OFFERING = 3;
/** A machine waits at the queues of up to eight pools and at its own, each with a connection; the rest takes offers. */
const MAX_WAITING = 12;
const LOCK_MS = 10_000;
const STALLED_MS = 5000;
const ANSWER_MS = 10_000;
/** How long connections may take to end. */
const END_MS = 1000;
/** A silent server is noticed also while nothing is asked of it. */
const KEEP_ALIVE_MS = 10_000;
/** How long a machine waits for an offer before it asks again. */
const WAIT_SECONDS = 2;

const workerOptions = {
  autorun: false,
  lockDuration: LOCK_MS,
  stalledInterval: STALLED_MS,
  maxStalledCount: 1000,
  drainDelay: WAIT_SECONDS,
} as const;

/** The names of queues must not contain a colon. */
function nameQueue({ project, pool }: DispatchPlace): string {
  const name = `ambit-${project.replaceAll(/[^\w-]/g, "-")}`;
  return pool === DEFAULT_POOL ? name : `${name}.${pool}`;
}

/** One connection or pool of connections that all queues of a process share. */
export interface BullConnection {
  readonly openQueue: (place: DispatchPlace) => Pick<BullParts, "openWorker" | "queue">;
  readonly close: () => Promise<unknown>;
}

export function connectBull(place: Omit<DispatchPlace, "pool">): BullConnection {
  return place.kind === "redis" ? connectRedis(place) : connectPostgres(place);
}

/** A dispatcher with a connection of its own, or on a shared one that outlives it. */
export function openBull(place: DispatchPlace, shared?: BullConnection): Dispatcher {
  const { answerMs = ANSWER_MS } = place;
  if (shared !== undefined)
    return new BullDispatcher({ ...shared.openQueue(place), answerMs, close: async () => undefined });
  const own = connectBull(place);
  return new BullDispatcher({ ...own.openQueue(place), answerMs, close: own.close });
}

function connectRedis({
  url,
  answerMs = ANSWER_MS,
}: Pick<DispatchPlace, "answerMs" | "url">): BullConnection {
  const connection = new Redis(url, { maxRetriesPerRequest: null, socketTimeout: answerMs });
  const options = { connection, prefix: PREFIX };
  connection.on("error", ignoreLostConnection);
  return {
    openQueue: (place) => {
      const name = nameQueue(place);
      const queue = new Queue<Offer>(name, options);
      queue.on("error", ignoreLostConnection);
      return {
        queue,
        openWorker: () => {
          const worker = new Worker<Offer>(name, null, { ...options, ...workerOptions });
          worker.on("error", ignoreLostConnection);
          // The client gives a silent connection up by itself.
          return { worker, abandonConnections: async () => undefined };
        },
      };
    },
    close: async () => connection.disconnect(),
  };
}

function connectPostgres(place: Pick<DispatchPlace, "answerMs" | "url">): BullConnection {
  const { Queue: PostgresQueue, Worker: PostgresWorker } = withBackend(createPostgresBackend);
  const offering = openPool(place, MAX_OFFERING);
  let waiting = openPool(place, MAX_WAITING);
  return {
    openQueue: (queued) => {
      const name = nameQueue(queued);
      const queue = new PostgresQueue<Offer>(name, { connection: forBull(offering.pool) });
      queue.on("error", ignoreLostConnection);
      return {
        queue,
        openWorker: () => {
          const used = waiting;
          const options = { connection: forBull(used.pool), ...workerOptions };
          const worker = new PostgresWorker<Offer>(name, null, options);
          worker.on("error", ignoreLostConnection);
          const abandonConnections = async (): Promise<void> => {
            if (waiting !== used) return;
            waiting = openPool(place, MAX_WAITING);
            await used.close();
          };
          return { worker, abandonConnections };
        },
      };
    },
    close: () => Promise.all([offering.close(), waiting.close()]),
  };
}

interface OpenPool {
  readonly pool: Pool;
  readonly close: () => Promise<void>;
}

/** Opens connections as they are needed, up to a maximum. */
function openPool(
  { url, answerMs = ANSWER_MS }: Pick<DispatchPlace, "answerMs" | "url">,
  max: number,
): OpenPool {
  const sockets = new Set<Socket>();
  const pool = new Pool({
    connectionString: url,
    max,
    connectionTimeoutMillis: answerMs,
    query_timeout: answerMs,
    keepAlive: true,
    keepAliveInitialDelayMillis: KEEP_ALIVE_MS,
    application_name: "ambit dispatch",
    options: `-c search_path=${DISPATCH_SCHEMA}`,
    stream: () => keepSocket(sockets),
  });
  pool.on("error", ignoreLostConnection);
  // The pool handles the errors of idle connections only. The error of one in use would end the process.
  pool.on("connect", (client) => client.on("error", ignoreLostConnection));
  // Each queue listens to its errors.
  pool.setMaxListeners(0);
  return {
    pool,
    close: async () => {
      // It waits for connections that are in use, also for those that will never answer.
      await Promise.race([pool.end(), delay(END_MS, undefined, { ref: false })]);
      for (const socket of sockets) socket.destroy();
    },
  };
}

function keepSocket(sockets: Set<Socket>): Socket {
  const socket = new Socket();
  sockets.add(socket);
  socket.once("close", () => sockets.delete(socket));
  return socket;
}

function forBull(pool: unknown): PgPool {
  if (!isPgPool(pool)) throw new TypeError("BullMQ does not take the pool");
  return pool;
}

/** The next call reports the lost connection; without a listener the process would end. */
function ignoreLostConnection(): void {
  return undefined;
}
