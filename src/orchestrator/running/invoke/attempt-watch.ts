import type { AgentEvent, ProviderFailure } from "../../../agents/adapter.ts";
import type { ContainedProcess } from "../../../containment/contained-process.ts";
import type { AttemptCost, UsageReport } from "../../../contract/usage.ts";
import type { Delegation } from "../../../journal/store.ts";
import type { RateGate } from "../../../scheduler/rate-gate.ts";
import { AttemptUse } from "./attempt-use.ts";
import type { WorkerHealth } from "../../live/worker-health.ts";
import { askSilentWorker } from "../../messages/silent-worker.ts";
import { providerOf } from "../../delegation/find-provider.ts";
import type { RunTools } from "../../ports/run-tools.ts";

export type StopReason = "budget" | "turns" | "cancelled" | "replaced";

/** At these it has had its warning and its time: one more request would be one over the limit. */
const atOnce: ReadonlySet<StopReason> = new Set(["budget", "turns"]);

const HEARTBEAT_MS = 2000;
const LEASE_MS = 60_000;

export interface WatchOptions {
  readonly rates: RateGate;
  /** Tool calls it may make; null for as many as it likes. */
  readonly maxTurns: number | null;
  /** Told of every sign of life. */
  readonly health?: WorkerHealth;
}

/** The account was full: whose, and for how long nobody is to ask again. */
export interface Hold {
  readonly provider: string;
  readonly afterMs: number;
  readonly untilWallMs: number;
}

/** Follows one attempt: heartbeats carry a cancellation in, usage reports carry the budget. */
export class AttemptWatch {
  readonly #tools: RunTools;
  readonly #delegation: Delegation;
  readonly #options: WatchOptions;
  readonly #use: AttemptUse;
  readonly #provider: string;
  readonly #calls = new Set<string>();
  #process: ContainedProcess | undefined;
  #stopped: StopReason | undefined;
  #booked: Promise<void> = Promise.resolve();
  #beating: Promise<void> = Promise.resolve();
  #unbooked: { readonly error: unknown } | undefined;

  constructor(tools: RunTools, delegation: Delegation, options: WatchOptions) {
    this.#tools = tools;
    this.#delegation = delegation;
    this.#options = options;
    this.#use = new AttemptUse(tools, delegation);
    this.#provider = providerOf(tools, delegation);
  }

  see(event: AgentEvent): void {
    this.#options.health?.heard(this.#delegation.id, this.#nowMs());
    switch (event.kind) {
      case "text":
        return this.#tools.watch({ kind: "output", delegation: this.#delegation.id, text: event.text });
      case "usage":
        return this.count(event);
      case "session-known":
        return this.#next(this.#rememberSession(this.#booked, event.id));
      case "tool-called":
        return this.#countCall(event.id);
      case "provider-failed":
        return this.#closeGate(event.failure);
      default:
        return undefined;
    }
  }

  /** Nothing came from it for long: it is asked, and whoever waits for it is told. It is not stopped for this yet. */
  hasGoneSilent(idleMs: number): void {
    const ask = (): Promise<void> => askSilentWorker(this.#tools, this.#delegation, idleMs);
    // What cannot be written down here changes nothing about its limits.
    this.#booked = this.#booked.then(() => ask().catch(() => undefined));
  }

  /** What it used, by whoever's report. */
  count(report: UsageReport): void {
    this.#use.take(report);
    this.#options.rates.answered(this.#provider, this.#nowMs());
    this.#next(this.#book(this.#booked));
  }

  async untilExit(contained: ContainedProcess): Promise<StopReason | undefined> {
    this.#process = contained;
    if (this.#stopped !== undefined) this.stop(this.#stopped);
    this.#next(this.#warnOfLateReports(this.#booked));
    // One that fails is followed by the next; left unhandled it would end every other story too.
    const beat = (): Promise<void> => (this.#beating = this.#beat().catch(() => undefined));
    const timer = setInterval(() => void beat(), HEARTBEAT_MS);
    try {
      await contained.exited;
      await this.#booked;
      if (this.#unbooked !== undefined) throw this.#unbooked.error;
      return this.#stopped;
    } finally {
      clearInterval(timer);
      // Whoever closes the store next must find nobody at it.
      await this.#beating;
    }
  }

  /** Until something ends it. */
  get mayGoOn(): boolean {
    return this.#stopped === undefined;
  }

  /** Types what its adapter gave for that, where it gave something. */
  askToFinish(input: string | undefined): void {
    if (input !== undefined) this.#process?.writeInput(input);
  }

  /** By its agent's word and by the price list; undefined while nothing was reported. */
  get cost(): AttemptCost | undefined {
    return this.#use.cost;
  }

  /** For one that ended because its account was full; closes the gate if nothing it said has done so. */
  hold(): Hold {
    const nowMs = this.#nowMs();
    const { rates } = this.#options;
    const untilMs = rates.closedUntil(this.#provider, nowMs) ?? rates.close(this.#provider, { nowMs });
    const afterMs = Math.ceil(untilMs - nowMs);
    return { provider: this.#provider, afterMs, untilWallMs: this.#tools.clock.wallMs() + afterMs };
  }

  /** Whose use cannot be written down cannot be limited, and is ended. */
  #next(booking: Promise<void>): void {
    this.#booked = booking.catch((error: unknown) => {
      this.#unbooked ??= { error };
      void this.#process?.stop("its use could not be written down");
    });
  }

  /** The first reason counts. */
  stop(reason: StopReason): void {
    this.#stopped ??= reason;
    void this.#process?.stop(reason, atOnce.has(reason) ? { graceMs: 0 } : {});
  }

  /** One after the other, in the order of the reports. */
  async #book(earlier: Promise<void>): Promise<void> {
    await earlier;
    const pressure = await this.#use.book();
    if (pressure === "soft") this.#process?.windDown();
    if (pressure === "hard") this.stop("budget");
  }

  /** A budget that nobody can hold in time is said to be one, once, before it is needed. */
  async #warnOfLateReports(earlier: Promise<void>): Promise<void> {
    await earlier;
    const { id, story, attempt, money, tokens, work } = this.#delegation;
    const { capabilities, name } = this.#tools.findAdapter(work?.adapter ?? "command");
    const hasBudget = money.limit !== null || tokens.limit !== null;
    if (attempt > 1 || !hasBudget || capabilities.liveUsage || this.#options.maxTurns !== null) return;
    const text = `${name} says what it used only when it ends: its budget can be overdrawn by one attempt. delegation.maxTurns bounds its tool calls.`;
    await this.#tools.store.record({ type: "note-added", story, delegation: id, attempt, data: { text } });
  }

  async #rememberSession(earlier: Promise<void>, sessionId: string): Promise<void> {
    await earlier;
    const { id, story, attempt } = this.#delegation;
    await this.#tools.store.record({
      type: "session-known",
      story,
      delegation: id,
      attempt,
      data: { sessionId },
    });
  }

  /** What holds an agent that does not say what it uses until it ends. */
  #countCall(id = `call ${this.#calls.size}`): void {
    this.#calls.add(id);
    const { maxTurns } = this.#options;
    if (maxTurns !== null && this.#calls.size > maxTurns) this.stop("turns");
  }

  #closeGate({ isRateLimit, retryAfterMs }: ProviderFailure): void {
    if (isRateLimit) this.#options.rates.close(this.#provider, { nowMs: this.#nowMs(), retryAfterMs });
  }

  #nowMs(): number {
    return this.#tools.clock.monotonicMs();
  }

  async #beat(): Promise<void> {
    const { id, attempt } = this.#delegation;
    const answer = await this.#tools.store.heartbeat(id, attempt, LEASE_MS);
    if (answer === "cancelled") this.stop("cancelled");
    if (answer === "stale") this.stop("replaced");
  }
}
