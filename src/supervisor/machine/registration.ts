import { setTimeout as delay } from "node:timers/promises";
import { clusterErrors } from "../../errors/cluster.ts";
import type { MachineFacts, Machines } from "../../journal/machines.ts";

export interface RegistrationParts {
  readonly machines: Machines;
  readonly facts: Omit<MachineFacts, "used" | "draining">;
  readonly readUsed: () => number;
  /** Called when another machine has the name, or when the name was closed. */
  readonly onReplaced: () => void;
  /** Called when a person has asked this machine to leave (`ambit cluster drain`). */
  readonly onDrain: () => void;
  /** Called when the coordinator has a version that this machine cannot work for. */
  readonly onOutdated: () => void;
}

const ANNOUNCE_MS = 2000;
/** Changes within this time are announced together. */
const GATHER_MS = 50;

/** Announces at short intervals that this machine is alive and how much it can take. */
export class Registration {
  readonly #parts: RegistrationParts;
  #timer: NodeJS.Timeout | undefined;
  #isDraining = false;
  #isDue = false;

  constructor(parts: RegistrationParts) {
    this.#parts = parts;
  }

  /** Refuses a name that another live machine has. */
  async begin(): Promise<void> {
    const { machines, facts } = this.#parts;
    if (!(await machines.announce(this.#describe()))) throw clusterErrors.nameTaken(facts.name);
    this.#timer = setInterval(() => void this.#announce(), ANNOUNCE_MS);
  }

  drain(): void {
    this.#isDraining = true;
    this.tellChange();
  }

  tellChange(): void {
    if (this.#isDue || this.#timer === undefined) return;
    this.#isDue = true;
    void delay(GATHER_MS).then(() => {
      this.#isDue = false;
      return this.#announce();
    });
  }

  async end(): Promise<void> {
    clearInterval(this.#timer);
    this.#timer = undefined;
    await this.#parts.machines.depart(this.#describe()).catch(() => undefined);
  }

  /** If the database cannot be reached, leases decide. */
  async #announce(): Promise<void> {
    if (this.#timer === undefined) return;
    const { machines, facts, onReplaced, onDrain, onOutdated } = this.#parts;
    const isOurs = await machines.announce(this.#describe()).catch(() => true);
    if (!isOurs) return onReplaced();
    const wish = await machines.readWish(facts.name).catch(() => undefined);
    if (this.#isDraining) return;
    if (wish === "drain") onDrain();
    if (wish === "update") onOutdated();
  }

  #describe(): MachineFacts {
    return { ...this.#parts.facts, used: this.#parts.readUsed(), draining: this.#isDraining };
  }
}
