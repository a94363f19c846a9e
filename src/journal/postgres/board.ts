import { promisify } from "node:util";
import { gunzip, gzip } from "node:zlib";
import { escapeLiteral } from "pg";
import type { ClusterAddress } from "./address.ts";
import { PgSession, type PgRows } from "./pg-session.ts";

/** A piece of an agent's output. The pieces of one attempt are numbered from 1, over all its streams. */
export interface OutputChunk extends AttemptName {
  readonly number: number;
  readonly stream: string;
  /** Bytes of the attempt before this piece, including those that were left out. */
  readonly before: number;
  readonly text: string;
  /** By the database's clock. */
  readonly atMs: number;
}

export interface AttemptName {
  readonly delegation: string;
  readonly attempt: number;
}

export interface NewestChunk extends AttemptName {
  readonly number: number;
}

/** A provider for which nothing starts for this long. */
export interface ClosedGate {
  readonly provider: string;
  readonly waitMs: number;
}

export type BoardNotice =
  | { readonly kind: "gate" }
  | ({ readonly kind: "output" } & AttemptName)
  | { readonly kind: "other" };

/** The number of pieces that are read at once. */
const PAGE = 32;
/** A piece is smaller than this; a piece that claims to be larger is not unpacked. */
const MAX_UNPACKED_BYTES = 4 * 1024 * 1024;
const [pack, unpack] = [promisify(gzip), promisify(gunzip)];

/**
 * The messages between the machines of one project outside the journal: the output of agents and full accounts. None of
 * it is history, and losing it costs no work.
 */
export class Board {
  readonly #session: PgSession;
  readonly #project: string;
  readonly #listeners = new Set<(notice: BoardNotice) => void>();
  #turn: Promise<unknown> = Promise.resolve();

  constructor(address: ClusterAddress, project: string) {
    this.#session = new PgSession(address, {
      onNotice: (payload) => this.#hear(project, payload),
      channel: "ambit_board",
    });
    this.#project = escapeLiteral(project);
  }

  /** Notices come while the connection is open, so a listener asks for something from time to time. */
  onNotice(listener: (notice: BoardNotice) => void): () => void {
    this.#listeners.add(listener);
    return () => this.#listeners.delete(listener);
  }

  /** Can be repeated for the same piece. */
  async keepOutput({ text, ...chunk }: Omit<OutputChunk, "atMs">): Promise<void> {
    const bytes = Buffer.from(text);
    const facts = escapeLiteral(JSON.stringify({ ...chunk, size: bytes.length }));
    const body = `decode('${(await pack(bytes)).toString("base64")}', 'base64')`;
    await this.#run(`SELECT ambit.keep_output(${this.#project}, ${facts}::json, ${body})`);
  }

  /** The next pieces of an attempt after a number. */
  async readOutput({ delegation, attempt }: AttemptName, after: number): Promise<readonly OutputChunk[]> {
    const [rows = []] = await this.#run(
      `SELECT delegation, attempt, number, stream, before_bytes::double precision, body, at_ms FROM ambit.output
         WHERE project = ${this.#project} AND delegation = ${escapeLiteral(delegation)} AND attempt = ${attempt}
           AND number > ${after} ORDER BY number LIMIT ${PAGE}`,
    );
    return Promise.all(rows.map(readChunk));
  }

  /** The newest piece of each attempt that wrote within this time. */
  async listNewest(withinMs: number): Promise<readonly NewestChunk[]> {
    const [rows = []] = await this.#run(
      `SELECT delegation, attempt, max(number) AS number FROM ambit.output
         WHERE project = ${this.#project} AND at_ms > ambit.now_ms() - ${withinMs} GROUP BY delegation, attempt`,
    );
    return rows.map((row) => ({
      delegation: String(row["delegation"]),
      attempt: Number(row["attempt"]),
      number: Number(row["number"]),
    }));
  }

  async forgetOldOutput(): Promise<void> {
    await this.#run(`SELECT ambit.forget_output(${this.#project})`);
  }

  async closeGate({ provider, waitMs }: ClosedGate): Promise<void> {
    await this.#run(
      `SELECT ambit.close_gate(${this.#project}, ${escapeLiteral(provider)}, ${Math.ceil(waitMs)})`,
    );
  }

  async listClosedGates(): Promise<readonly ClosedGate[]> {
    const [rows = []] = await this.#run(
      `SELECT provider, until_ms - ambit.now_ms() AS wait FROM ambit.gates
         WHERE project = ${this.#project} AND until_ms > ambit.now_ms()`,
    );
    return rows.map((row) => ({ provider: String(row["provider"]), waitMs: Number(row["wait"]) }));
  }

  close(): Promise<void> {
    return this.#session.close();
  }

  /** Runs one statement after the other, because a connection runs only one at a time. */
  #run(sql: string): Promise<readonly PgRows[]> {
    const answer = this.#turn.then(() => this.#session.run(sql));
    this.#turn = answer.catch(() => undefined);
    return answer;
  }

  #hear(project: string, payload: string): void {
    const [about, kind, delegation = "", attempt] = payload.split(" ");
    if (about !== project) return;
    const notice = readNotice(kind, { delegation, attempt: Number(attempt) });
    for (const listener of this.#listeners) listener(notice);
  }
}

function readNotice(kind: string | undefined, name: AttemptName): BoardNotice {
  if (kind === "gate") return { kind };
  return kind === "output" ? { kind, ...name } : { kind: "other" };
}

async function readChunk(row: PgRows[number]): Promise<OutputChunk> {
  const { body } = row;
  const bytes = body instanceof Uint8Array ? body : new Uint8Array();
  const unpacked = await unpack(bytes, { maxOutputLength: MAX_UNPACKED_BYTES }).catch(() => Buffer.alloc(0));
  return {
    delegation: String(row["delegation"]),
    attempt: Number(row["attempt"]),
    number: Number(row["number"]),
    stream: String(row["stream"]),
    before: Number(row["before_bytes"]),
    text: unpacked.toString("utf8"),
    atMs: Number(row["at_ms"]),
  };
}
