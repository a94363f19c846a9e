import { escapeLiteral } from "pg";
import type { ClusterAddress } from "./address.ts";
import { repeatWhileLost } from "./pg-errors.ts";
import { PgSession } from "./pg-session.ts";
import { readHeldLease, type HeldLease } from "./remote-journal.ts";

/** The facts that a machine announces about itself at short intervals. */
export interface MachineFacts {
  /** A name chosen by a person, or the host's name. */
  readonly name: string;
  /** The id of the clone it works in: the same name may be used again from there. */
  readonly machine: string;
  /** Each start has a different one. */
  readonly incarnation: string;
  readonly slots: number;
  readonly used: number;
  /** The machine takes no new attempts. */
  readonly draining: boolean;
  readonly version: string;
  /** The version of what it can do for a coordinator (`MACHINE_PROTOCOL`). */
  readonly protocol: number;
  /** The kinds of work it takes. */
  readonly pools: readonly string[];
}

/**
 * A request to a machine. A person asks it to finish its attempts and leave, or to be removed for good; a coordinator
 * that is too new for it asks it to leave and be updated.
 */
export type MachineWish = "drain" | "remove" | "update";

export interface KnownMachine extends MachineFacts {
  readonly isAlive: boolean;
}

/** Separates the names of a machine's pools in its row; no name contains it. */
const POOL_MARK = ",";
/** A machine that has been silent for this long takes no work, and its name is free. */
const ALIVE_MS = 10_000;

/** The machines of one project and the attempts they hold. None of it is history, so none of it is an event. */
export class Machines {
  readonly #session: PgSession;
  readonly #name: string;
  readonly #project: string;

  constructor(address: ClusterAddress, project: string) {
    this.#session = new PgSession(address);
    this.#name = project;
    this.#project = escapeLiteral(project);
  }

  /** Returns false if another live machine has this name, or if the name is closed. */
  async announce(facts: MachineFacts): Promise<boolean> {
    const { pools, ...others } = facts;
    const text = escapeLiteral(JSON.stringify({ ...others, pool: pools.join(POOL_MARK) }));
    const [[row] = []] = await this.#session.run(
      `SELECT ambit.announce(${this.#project}, ${text}::json, ${ALIVE_MS}) AS is_taken`,
    );
    return row?.["is_taken"] === true;
  }

  /** Reads the request to a machine. */
  async readWish(name: string): Promise<MachineWish | undefined> {
    const [[row] = []] = await this.#session.run(
      `SELECT wish FROM ambit.nodes WHERE project = ${this.#project} AND name = ${escapeLiteral(name)}`,
    );
    const wish = row?.["wish"];
    return wish === "drain" || wish === "remove" || wish === "update" ? wish : undefined;
  }

  /** Returns false if no machine has this name. */
  async ask(name: string, wish: MachineWish): Promise<boolean> {
    const words = [name, wish].map((word) => escapeLiteral(word)).join(", ");
    const [[row] = []] = await this.#session.run(
      `SELECT ambit.ask_node(${this.#project}, ${words}) AS is_known`,
    );
    return row?.["is_known"] === true;
  }

  async depart({ name, incarnation }: MachineFacts): Promise<void> {
    const words = [name, incarnation].map((word) => escapeLiteral(word)).join(", ");
    await this.#session.run(`SELECT ambit.depart(${this.#project}, ${words})`);
  }

  list(): Promise<readonly KnownMachine[]> {
    return repeatWhileLost(() => listMachines(this.#session, this.#name));
  }

  /** The leases that have not run out. */
  async listLeases(): Promise<readonly HeldLease[]> {
    const sql = `SELECT delegation, attempt, owner, expires_ms FROM ambit.leases
      WHERE project = ${this.#project} AND expires_ms >= ambit.now_ms()`;
    const [rows = []] = await repeatWhileLost(() => this.#session.run(sql));
    return rows.map(readHeldLease);
  }

  /** The machine has done everything that belongs to the attempt. */
  async release(delegation: string, attempt: number): Promise<void> {
    await repeatWhileLost(() =>
      this.#session.run(`SELECT ambit.release(${this.#project}, ${escapeLiteral(delegation)}, ${attempt})`),
    );
  }

  close(): Promise<void> {
    return this.#session.close();
  }
}

export async function listMachines(session: PgSession, project: string): Promise<readonly KnownMachine[]> {
  const [rows = []] = await session.run(
    `SELECT name, machine, incarnation, slots, used, draining, version, protocol, pool,
         ambit.now_ms() - seen_ms AS ago
       FROM ambit.nodes WHERE project = ${escapeLiteral(project)} AND NOT closed ORDER BY name`,
  );
  return rows.map((row) => ({
    name: String(row["name"]),
    machine: String(row["machine"]),
    incarnation: String(row["incarnation"]),
    slots: Number(row["slots"]),
    used: Number(row["used"]),
    draining: row["draining"] === true,
    version: String(row["version"]),
    protocol: Number(row["protocol"]),
    pools: String(row["pool"]).split(POOL_MARK),
    isAlive: Number(row["ago"]) < ALIVE_MS,
  }));
}
