import { escapeLiteral } from "pg";
import { clusterErrors } from "../../errors/cluster.ts";
import type { StoredEvent } from "../model/store.ts";
import { isLost } from "./pg-errors.ts";
import type { PgRows, PgSession } from "./pg-session.ts";

export interface Head {
  readonly seq: number;
  readonly hash: string;
}

export interface News {
  readonly head: Head;
  /** At most `PAGE` events after the number that was asked for. */
  readonly events: readonly StoredEvent[];
}

/** An attempt that an owner holds until a time of the database's clock. */
export interface HeldLease {
  readonly delegation: string;
  readonly attempt: number;
  readonly owner: string;
  readonly expires: number;
}

export interface AppendBatch {
  /** The number of the event before the first one. */
  readonly after: number;
  readonly events: readonly { readonly body: string; readonly hash: string }[];
  readonly leases: readonly HeldLease[];
  /** Delegations whose lease has ended. */
  readonly ended: readonly string[];
  /** The machine that runs the project, for a process that writes in this role. */
  readonly machine?: string | undefined;
  /** The epoch of a process that coordinates the project. */
  readonly epoch?: number | undefined;
}

/** A machine of a cluster; its id is made when it joins. */
export interface Machine {
  readonly id: string;
  /** For people: the host's name. */
  readonly name: string;
}

/** The machine that has the role of the coordinator. */
export interface Holder extends Machine {
  /** Counts the processes that had the role. */
  readonly epoch: number;
  /** Whether a process holds the role now. */
  readonly isAlive: boolean;
}

/** How many events are fetched at once. */
export const PAGE = 2000;

/** The statements on one project's journal in PostgreSQL. */
export class RemoteJournal {
  readonly #session: PgSession;
  readonly #project: string;

  constructor(session: PgSession, project: string) {
    this.#session = session;
    this.#project = escapeLiteral(project);
  }

  get place(): string {
    return this.#session.address.place;
  }

  /** Begins a transaction, takes the lock of the head, and fetches the events after a number, in one round trip. */
  async lock(after: number): Promise<News & { readonly nowMs: number }> {
    try {
      const [, locked = [], events = []] = await this.#session.run(
        `BEGIN; SELECT * FROM ambit.lock_head(${this.#project}); ${this.#eventsAfter(after)}`,
      );
      return { ...this.#readNews(locked, events), nowMs: Number(locked[0]?.["now_ms"]) };
    } catch (error) {
      if (!isLost(error)) await this.release().catch(() => undefined);
      throw error;
    }
  }

  /** Appends and commits in one round trip. */
  async append(batch: AppendBatch): Promise<void> {
    const text = escapeLiteral(JSON.stringify(batch));
    await this.#session.run(`SELECT ambit.append(${this.#project}, ${text}::json); COMMIT`);
  }

  /** Asks for the right to run the project, takes it from another machine, or gives it back. Returns who has it. */
  async claim(machine: Machine, how: "ask" | "take" | "leave"): Promise<Machine | undefined> {
    const words = [machine.id, machine.name, how].map((word) => escapeLiteral(word)).join(", ");
    const [[row] = []] = await this.#session.run(`SELECT * FROM ambit.claim(${this.#project}, ${words})`);
    return readMachine(row);
  }

  async findHolder(): Promise<Holder | undefined> {
    const [[row] = []] = await this.#session.run(
      `SELECT machine, machine_name, epoch::double precision, lease_ms > ambit.now_ms() AS is_alive
         FROM ambit.head WHERE project = ${this.#project}`,
    );
    const machine = readMachine(row);
    if (machine === undefined) return undefined;
    return { ...machine, epoch: Number(row?.["epoch"]), isAlive: row?.["is_alive"] === true };
  }

  /** Takes up the role that the machine has. Returns the epoch. */
  async lead(machine: string, leaseMs: number): Promise<number> {
    const [[row] = []] = await this.#session.run(
      `SELECT ambit.lead(${this.#project}, ${escapeLiteral(machine)}, ${leaseMs}) AS epoch`,
    );
    const epoch = row?.["epoch"];
    if (typeof epoch !== "number") throw clusterErrors.runsElsewhere("that has taken it over");
    return epoch;
  }

  /** Returns false if another process has the role. Without a lease the role is given back. */
  async leadOn(epoch: number, leaseMs: number): Promise<boolean> {
    const [[row] = []] = await this.#session.run(
      `SELECT ambit.lead_on(${this.#project}, ${epoch}, ${leaseMs}) AS is_ours`,
    );
    return row?.["is_ours"] === true;
  }

  async release(): Promise<void> {
    await this.#session.run("ROLLBACK");
  }

  /** Returns undefined if the database does not know the project. */
  async findHead(): Promise<Head | undefined> {
    const [[row] = []] = await this.#session.run(this.#selectHead());
    return row === undefined ? undefined : { seq: Number(row["seq"]), hash: String(row["hash"]) };
  }

  async requireHead(): Promise<Head> {
    const head = await this.findHead();
    if (head === undefined) throw clusterErrors.notSetUp(this.place);
    return head;
  }

  async readAfter(after: number): Promise<News> {
    const [head = [], events = []] = await this.#session.run(
      `${this.#selectHead()}; ${this.#eventsAfter(after)}`,
    );
    return this.#readNews(head, events);
  }

  async hashAt(seq: number): Promise<string | undefined> {
    const [rows = []] = await this.#session.run(
      `SELECT hash FROM ambit.events WHERE project = ${this.#project} AND seq = ${seq}`,
    );
    const hash = rows[0]?.["hash"];
    return typeof hash === "string" ? hash : undefined;
  }

  /** Extends the leases that have not run out and returns their delegations, and the number of the newest event. */
  async beat(
    beats: readonly { readonly delegation: string; readonly attempt: number; readonly lease: number }[],
    nowMs: number | undefined,
  ): Promise<{ readonly held: ReadonlySet<string>; readonly seq: number }> {
    const [held = [], head = []] = await this.#session.run(
      `SELECT ambit.beat(${this.#project}, ${escapeLiteral(JSON.stringify(beats))}::json, ${nowMs ?? "NULL"}) AS id;
       ${this.#selectHead()}`,
    );
    return { held: new Set(held.map((row) => String(row["id"]))), seq: Number(head[0]?.["seq"] ?? 0) };
  }

  async expiredLeases(nowMs: number | undefined): Promise<readonly HeldLease[]> {
    const [rows = []] = await this.#session.run(
      `SELECT delegation, attempt, owner, expires_ms FROM ambit.leases
         WHERE project = ${this.#project} AND expires_ms < coalesce(${nowMs ?? "NULL"}, ambit.now_ms())`,
    );
    return rows.map(readHeldLease);
  }

  #selectHead(): string {
    return `SELECT seq::double precision, hash FROM ambit.head WHERE project = ${this.#project}`;
  }

  #eventsAfter(after: number): string {
    return `SELECT seq::double precision, body, hash FROM ambit.events
      WHERE project = ${this.#project} AND seq > ${after} ORDER BY seq LIMIT ${PAGE}`;
  }

  #readNews(head: PgRows, events: PgRows): News {
    const row = head[0];
    if (row === undefined) throw clusterErrors.notSetUp(this.place);
    return {
      head: { seq: Number(row["seq"]), hash: String(row["hash"]) },
      events: events.map((event) => ({
        seq: Number(event["seq"]),
        body: String(event["body"]),
        hash: String(event["hash"]),
      })),
    };
  }
}

function readMachine(row: PgRows[number] | undefined): Machine | undefined {
  const [id, name] = [row?.["machine"], row?.["machine_name"]];
  return typeof id === "string" && typeof name === "string" ? { id, name } : undefined;
}

export function readHeldLease(row: PgRows[number]): HeldLease {
  return {
    delegation: String(row["delegation"]),
    attempt: Number(row["attempt"]),
    owner: String(row["owner"]),
    expires: Number(row["expires_ms"]),
  };
}
