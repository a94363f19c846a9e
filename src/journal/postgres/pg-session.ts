import { Client } from "pg";
import { clusterErrors } from "../../errors/cluster.ts";
import type { ClusterAddress } from "./address.ts";
import { explainPgError, isLost } from "./pg-errors.ts";

/** Rows of one statement; each value is `unknown` until it is read. */
export type PgRows = readonly Readonly<Record<string, unknown>>[];

const CONNECT_MS = 10_000;
/** A process that is frozen while it holds the lock loses its connection after this time. */
const IDLE_IN_TRANSACTION_MS = 2000;

/** A connection, and the end of what was asked of it so far. */
interface Line {
  readonly client: Client;
  last: Promise<unknown>;
}

/** One connection that is made when it is needed, and made again after it was lost. */
export class PgSession {
  readonly address: ClusterAddress;
  readonly #onNotice: ((payload: string) => void) | undefined;
  readonly #channel: string;
  #line: Promise<Line> | undefined;
  #isClosed = false;

  /** With `onNotice`, it listens to what other processes append, or to what they tell on another channel. */
  constructor(address: ClusterAddress, onNotice?: (payload: string) => void, channel: string = "ambit") {
    this.address = address;
    this.#onNotice = onNotice;
    this.#channel = channel;
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
    await line?.then(({ client }) => client.end()).catch(() => undefined);
  }

  /** A late failure of a lost connection must not end the one that was made after it. */
  #drop(lost: Promise<Line>): void {
    if (this.#line === lost) this.#line = undefined;
    void lost.then(({ client }) => client.end()).catch(() => undefined);
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
    const client = new Client({
      connectionString: this.address.url,
      connectionTimeoutMillis: CONNECT_MS,
      idle_in_transaction_session_timeout: IDLE_IN_TRANSACTION_MS,
      application_name: "ambit",
      keepAlive: true,
    });
    // The next statement finds the connection gone and says so; without a listener the process would end.
    client.on("error", onLost);
    client.on("notification", ({ payload }) => this.#onNotice?.(payload ?? ""));
    try {
      await client.connect();
      await this.#prepare(client);
      return { client, last: Promise.resolve() };
    } catch (error) {
      await client.end().catch(() => undefined);
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
    if (this.#onNotice !== undefined) await client.query(`LISTEN ${this.#channel}`);
  }
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
