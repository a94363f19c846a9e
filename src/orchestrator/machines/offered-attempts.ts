import type { JournalEvent } from "../../contract/journal-event.ts";
import type { Dispatchers } from "../../dispatch/open-dispatcher.ts";
import type { Machines } from "../../journal/machines.ts";
import type { Delegation, Store } from "../../journal/store.ts";
import { type Hub, nameBaseRef } from "../../workspace/hub.ts";
import { isBelow } from "../../contract/child-id.ts";
import { chooseOffers, type OpenMachine, type WaitingAttempt } from "./choose-offers.ts";
import { countSlots, describeOpen } from "./machine-slots.ts";
import { findSessionHome } from "./find-session-home.ts";
import type { FollowedOutput } from "./followed-output.ts";
import type { MachineSlots, RemoteAttempts } from "../ports/remote-attempts.ts";
import { DEFAULT_POOL, isMachineOwner, MACHINE_PROTOCOL } from "../../contract/machine-owner.ts";

export interface CoordinatorParts {
  readonly store: Store;
  readonly machines: Machines;
  readonly dispatchers: Pick<Dispatchers, "of">;
  /** The pool whose machines run an agent. */
  readonly poolOf: (agent: string | null) => string;
  readonly hub: Hub;
  readonly leaseMs: number;
  readonly log: (line: string) => void;
  /** Begins to check the tree that an attempt starts from. */
  readonly checkBase: (delegation: Delegation, base: string) => Promise<void>;
  /** Brings the output of agents on other machines. */
  readonly output?: Pick<FollowedOutput, "bring" | "follow" | "stop">;
  /** The provider for which nothing starts now. */
  readonly findFullProvider?: (delegation: Delegation) => string | undefined;
  /** The protocol version; machines of an earlier one are asked to leave. */
  readonly protocol?: number;
  /** Offers each attempt once; tests use it to remove the repetition. */
  readonly offersOnce?: boolean;
  /** A person is informed of work that no machine takes for this time. */
  readonly tellAfterMs?: number;
  /** How long an attempt waits for the machine that has the session of its agent. */
  readonly homeMs?: number;
}

/** An attempt that is offered, or that a machine has. */
interface Followed extends WaitingAttempt {
  readonly id: string;
  readonly attempt: number;
  offered: WaitingAttempt["offered"];
  /** Whether a person was informed that no machine takes it. */
  isTold: boolean;
  readonly end: () => void;
}

const TICK_MS = 1000;
/** An offer that no machine has taken is made again: the queue that carries it may have lost it. */
const REPEAT_MS = 5000;
/**
 * How long to wait for a machine that has an agent's session and no free slot: about the time that a new session takes.
 */
const HOME_MS = 30_000;
/** After this time, a person is informed of work that no machine takes. */
const TELL_MS = 60_000;

/**
 * The coordinator's side of attempts that machines run. It offers them and follows the journal; the store alone decides
 * which machine begins an offered attempt.
 */
export class OfferedAttempts implements RemoteAttempts {
  readonly #parts: CoordinatorParts;
  readonly #followed = new Map<string, Followed>();
  #held = new Map<string, number>();
  /** The machines that take work. */
  #live: readonly OpenMachine[] = [];
  #lookedMs = performance.now();
  #judgeFromMs = 0;
  #onEvent: (event: JournalEvent) => void = () => undefined;
  #onSlots: (slots: MachineSlots) => void = () => undefined;
  #timer: NodeJS.Timeout | undefined;
  #unfollow: () => void = () => undefined;
  #looking: Promise<void> | undefined;
  #isStopped = false;
  /** Nothing of what was offered last could be sent. */
  #isMute = false;

  constructor(parts: CoordinatorParts) {
    this.#parts = parts;
  }

  follow(onEvent: (event: JournalEvent) => void, onSlots: (slots: MachineSlots) => void): void {
    this.#onEvent = onEvent;
    this.#onSlots = onSlots;
    this.#unfollow = this.#parts.store.onEvent((event) => this.#hear(event));
    this.#timer = setInterval(() => void this.#look(), TICK_MS);
    this.#parts.output?.follow();
    void this.#look();
    void this.#clearHub().catch(ignoreClosedStore);
  }

  stop(): void {
    this.#isStopped = true;
    clearInterval(this.#timer);
    this.#unfollow();
    this.#parts.output?.stop();
    for (const { end } of this.#followed.values()) end();
  }

  async run(delegation: Delegation): Promise<void> {
    const { id, state, attempt, priority } = delegation;
    const wanted = state === "queued" ? attempt + 1 : attempt;
    const home = await findSessionHome(this.#parts.store, delegation).catch(() => undefined);
    if (this.#isStopped) return;
    await new Promise<void>((end) => {
      this.#followed.set(id, {
        id,
        attempt: wanted,
        pool: this.#parts.poolOf(delegation.agent),
        priority,
        home,
        sinceMs: performance.now(),
        offered: undefined,
        isTold: false,
        findFull: () => this.#parts.findFullProvider?.(delegation),
        end,
      });
      void this.#judge(id)
        .then(() => this.#offerSome())
        .catch(ignoreClosedStore);
    });
    this.#followed.delete(id);
    if (this.#isStopped) return;
    await this.#parts.output?.bring({ delegation: id, attempt: wanted });
    await this.#bringWork(id);
  }

  /** The reason why nothing happens, if machines are missing. */
  whyWaiting(id: string): string | undefined {
    const followed = this.#followed.get(id);
    if (followed !== undefined && this.#held.get(id) === followed.attempt) return undefined;
    const full = followed?.findFull();
    if (full !== undefined) return `waits for provider ${full}, whose account is full`;
    if (this.#live.length === 0) return "no machine of the cluster is there; start ambit worker on one";
    if (followed === undefined) return undefined;
    if (!this.#isServed(followed.pool)) return describeUnserved(followed.pool);
    return this.#isMute ? "what carries offers (cluster.dispatch) does not answer" : undefined;
  }

  /** Asks the database: a machine may have begun it a moment ago. */
  async isHeld({ id, attempt }: Delegation): Promise<boolean> {
    await this.#readLeases();
    return this.#held.get(id) === attempt;
  }

  keepBase(id: string, commit: string): Promise<void> {
    return this.#parts.hub.push([nameBaseRef(id, commit)]);
  }

  forgetStory(story: string): Promise<void> {
    return this.#parts.hub.forget((id) => id === story || isBelow(id, story));
  }

  #isServed(pool: string): boolean {
    return this.#live.some(({ pools }) => pools.includes(pool));
  }

  #hear(event: JournalEvent): void {
    this.#onEvent(event);
    if (event.type === "workspace-created") void this.#checkBase(event).catch(() => undefined);
    if (event.delegation !== null && this.#followed.has(event.delegation))
      void this.#judge(event.delegation).catch(ignoreClosedStore);
  }

  async #checkBase({
    delegation: id,
    data,
  }: Extract<JournalEvent, { type: "workspace-created" }>): Promise<void> {
    const delegation = id === null ? undefined : await this.#parts.store.delegation(id);
    if (delegation?.attempt === 1) await this.#parts.checkBase(delegation, data.base);
  }

  /** Ends the wait for an attempt that is over. */
  async #judge(id: string): Promise<void> {
    const followed = this.#followed.get(id);
    if (followed === undefined) return;
    const delegation = await this.#parts.store.delegation(id);
    if (delegation === undefined || this.#isOver(delegation, followed)) followed.end();
  }

  #isOver({ id, state, attempt, cancelRequested }: Delegation, followed: Followed): boolean {
    if (attempt > followed.attempt || state === "closed") return true;
    if (attempt < followed.attempt) return state !== "queued" || cancelRequested;
    // Its machine may still wait inside a call, or be about to record the next step.
    if (state === "running") return false;
    return state !== "parked" || this.#held.get(id) !== attempt;
  }

  #look(): Promise<void> {
    this.#looking ??= this.#lookNow()
      .catch((error: unknown) => this.#parts.log(`the cluster could not be read: ${String(error)}`))
      .finally(() => (this.#looking = undefined));
    return this.#looking;
  }

  async #lookNow(): Promise<void> {
    if (this.#isStopped) return;
    const { machines } = this.#parts;
    const known = (await machines.list()).filter(({ isAlive, draining }) => isAlive && !draining);
    const { protocol = MACHINE_PROTOCOL } = this.#parts;
    const live = known.filter((machine) => machine.protocol >= protocol);
    for (const old of known) if (old.protocol < protocol) await machines.ask(old.name, "update");
    this.#live = live.map(describeOpen);
    this.#onSlots(countSlots(live));
    await this.#readLeases();
    await this.#requeueLost(performance.now());
    for (const id of this.#followed.keys()) await this.#judge(id);
    await this.#offerSome();
    await this.#tellUnserved();
  }

  async #tellUnserved(): Promise<void> {
    const before = performance.now() - (this.#parts.tellAfterMs ?? TELL_MS);
    for (const followed of this.#followed.values()) {
      const unserved = !this.#isServed(followed.pool);
      if (followed.isTold === unserved || (unserved && followed.sinceMs > before)) continue;
      followed.isTold = unserved;
      await this.#note(followed, unserved);
    }
  }

  async #note({ id, attempt, pool }: Followed, unserved: boolean): Promise<void> {
    const { store, log } = this.#parts;
    const delegation = await store.delegation(id);
    if (delegation === undefined || this.#held.get(id) === attempt) return;
    const { story } = delegation;
    const text = unserved
      ? `It waits: ${describeUnserved(pool)}`
      : `A machine serves the pool ${pool} now; it is next when a slot is free.`;
    log(`${id}: ${text}`);
    const about = { story, delegation: id, attempt: 0 };
    await store.record({ type: "note-added", ...about, data: { text, unserved } });
  }

  /**
   * No machine could send a heartbeat while the database could not be reached: leases count again once machines have had
   * time for one.
   */
  async #requeueLost(nowMs: number): Promise<void> {
    const { store, leaseMs, log } = this.#parts;
    if (nowMs - this.#lookedMs > leaseMs / 2) this.#judgeFromMs = nowMs + leaseMs;
    this.#lookedMs = nowMs;
    if (nowMs < this.#judgeFromMs) return;
    for (const id of await store.requeueLost(isMachineOwner))
      log(`${id}: its machine was not heard any more; it is offered again`);
  }

  async #readLeases(): Promise<void> {
    const leases = await this.#parts.machines.listLeases();
    const ofMachines = leases.filter(({ owner }) => isMachineOwner(owner));
    this.#held = new Map(ofMachines.map(({ delegation, attempt }) => [delegation, attempt]));
  }

  async #offerSome(): Promise<void> {
    const { offersOnce = false, homeMs = HOME_MS, dispatchers } = this.#parts;
    const rules = { nowMs: performance.now(), repeatMs: offersOnce ? Infinity : REPEAT_MS, homeMs };
    const waiting = [...this.#followed.values()].filter(({ id, attempt }) => this.#held.get(id) !== attempt);
    const offers = chooseOffers(waiting, this.#live, rules);
    // This happens before anything is awaited, so that the same slots are not given twice.
    for (const { waiting: chosen, queue } of offers) chosen.offered = { queue, atMs: rules.nowMs };
    const sent = offers.map(({ waiting: { id, attempt, priority }, queue }) =>
      dispatchers.of(queue).offer({ id, attempt, priority }),
    );
    // What could not be sent is offered again.
    const ends = await Promise.allSettled(sent);
    if (ends.length > 0) this.#isMute = ends.every(({ status }) => status === "rejected");
  }

  /** For stories that ended while no coordinator ran: their work is brought here, and the hub forgets them. */
  async #clearHub(): Promise<void> {
    const { hub, store } = this.#parts;
    const ended = new Set<string>();
    for (const id of await hub.listOwners()) {
      const story = (await store.delegation(id))?.story;
      if (story === undefined || (await store.delegation(story))?.state !== "closed") continue;
      await this.#bringWork(id);
      ended.add(id);
    }
    if (ended.size > 0) await hub.forget((id) => ended.has(id));
  }

  /** People and reports find its work here, under the refs it has where it ran. */
  async #bringWork(id: string): Promise<void> {
    const delegation = await this.#parts.store.delegation(id);
    const { tip = null, base = null } = delegation ?? {};
    if (tip !== null && base !== null) await this.#parts.hub.bringWork(id, { tip, base });
  }
}

function describeUnserved(pool: string): string {
  const flag = pool === DEFAULT_POOL ? "" : ` --pool ${pool}`;
  return `no machine serves the pool ${pool}; start ambit worker${flag} on one`;
}

/** The next look, or a successor, does it again. */
function ignoreClosedStore(): void {
  return undefined;
}
