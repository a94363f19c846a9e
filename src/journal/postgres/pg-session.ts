import { Socket } from "node:net";
import { setTimeout as delay } from "node:timers/promises";
import { Client } from "pg";
import { clusterErrors } from "../../errors/cluster.ts";
import type { ClusterAddress } from "./address.ts";
import { explainPgError, isLost } from "./pg-errors.ts";

/** Rows of one statement; each value is `unknown` until it is read. */
export type PgRows = readonly Readonly<Record<string, unknown>>[];

const CONNECT_MS = 10_000;
/** An attempt outlives a connection that falls silent: its lease is longer than this, by a beat and its fence. */
const ANSWER_MS = 10_000;
/** How long a connection may take to say goodbye. */
const END_MS = 1000;
/** A silent peer is noticed also while nothing is asked of it. */
const KEEP_ALIVE_MS = 10_000;
/** A process that is frozen while it holds the lock loses its connection after this time. */
const IDLE_IN_TRANSACTION_MS = 2000;

/** A connection, and the end of what was asked of it so far. */
interface Line {
  readonly client: Client;
  readonly socket: Socket;
  last: Promise<unknown>;
}

export interface SessionOptions {
  /** Makes it listen to what other processes append, or to what they tell on another channel. */
  readonly onNotice?: (payload: string) => void;
  readonly channel?: string;
  /** A connection that has not answered after this time counts as lost. */
  readonly answerMs?: number;
}

/** One connection that is made when it is needed, and made again after it was lost. */
export class PgSession {
  readonly address: ClusterAddress;
  readonly #options: SessionOptions;
  #line: Promise<Line> | undefined;
  #isClosed = false;

  constructor(address: ClusterAddress, options: SessionOptions = {}) {
    this.address = address;
    this.#options = options;
  }

  /** Runs one or several statements in one round trip and returns the rows of each. */
  async run(sql: string): Promise<readonly PgRows[]> {
    const made = this.#connect();
    const line = await made;
    try {
      const answer = await queryInTurn(line, sql);
      const answers = Array.isArray(answer) ? answer : [answer];
      return answers.map(readRows);
    } catch (error) {
      if (isLost(error)) this.#drop(made);
      throw explainPgError(error, this.address.place);
    }
  }

  async close(): Promise<void> {
    this.#isClosed = true;
    const line = this.#line;
    this.#line = undefined;
    await line?.then(endLine).catch(() => undefined);
  }

  /** A late failure of a lost connection must not end the one that was made after it. */
  #drop(lost: Promise<Line>): void {
    if (this.#line === lost) this.#line = undefined;
    void lost.then(endLine).catch(() => undefined);
  }

  #connect(): Promise<Line> {
    if (this.#isClosed) return Promise.reject(new Error("the session is closed"));
    if (this.#line !== undefined) return this.#line;
    const made: Promise<Line> = this.#open(() => this.#drop(made));
    this.#line = made;
    made.catch(() => {
      if (this.#line === made) this.#line = undefined;
    });
    return made;
  }

  async #open(onLost: () => void): Promise<Line> {
    const { onNotice, answerMs = ANSWER_MS } = this.#options;
    const socket = new Socket();
    const client = new Client({
      connectionString: this.address.url,
      connectionTimeoutMillis: CONNECT_MS,
      idle_in_transaction_session_timeout: IDLE_IN_TRANSACTION_MS,
      query_timeout: answerMs,
      application_name: "ambit",
      keepAlive: true,
      keepAliveInitialDelayMillis: KEEP_ALIVE_MS,
      stream: () => socket,
    });
    // The next statement finds the connection gone and says so; without a listener the process would end.
    client.on("error", onLost);
    client.on("notification", ({ payload }) => onNotice?.(payload ?? ""));
    try {
      await client.connect();
      await this.#prepare(client);
      return { client, socket, last: Promise.resolve() };
    } catch (error) {
      await endLine({ client, socket });
      throw explainPgError(error, this.address.place);
    }
  }

  /** A pooler that gives each transaction another server forgets settings and listens to nothing. */
  async #prepare(client: Client): Promise<void> {
    const { rows } = await client.query("SHOW idle_in_transaction_session_timeout");
    if (
      readRows({ rows })[0]?.["idle_in_transaction_session_timeout"] !== `${IDLE_IN_TRANSACTION_MS / 1000}s`
    )
      throw clusterErrors.unsuitable(this.address.place, "a pooler drops the settings of the session");
    const { onNotice, channel = "ambit" } = this.#options;
    if (onNotice !== undefined) await client.query(`LISTEN ${channel}`);
  }
}

/** A server that is gone does not answer the goodbye; its connection would keep this process alive for minutes. */
async function endLine({ client, socket }: Pick<Line, "client" | "socket">): Promise<void> {
  await Promise.race([client.end().catch(() => undefined), delay(END_MS, undefined, { ref: false })]);
  socket.destroy();
}

/** The driver warns of a statement that is asked for while another one runs, and will refuse it. */
function queryInTurn(line: Line, sql: string): Promise<unknown> {
  const answer = line.last.then((): Promise<unknown> => line.client.query(sql));
  line.last = answer.catch(() => undefined);
  return answer;
}

function readRows(answer: unknown): PgRows {
  if (typeof answer !== "object" || answer === null || !("rows" in answer)) return [];
  const { rows } = answer;
  return Array.isArray(rows) ? rows.filter(isRow) : [];
}

function isRow(row: unknown): row is Readonly<Record<string, unknown>> {
  return typeof row === "object" && row !== null;
}
