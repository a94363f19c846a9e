import type { AgentEvent, ProviderFailure } from "../../../agents/adapter.ts";
import { safeText } from "../../../base/safe-text.ts";
import { findWorkerAgents, startsOwnAgent } from "../../../agents/own-agents.ts";
import type { ContainedProcess } from "../../../containment/contained-process.ts";
import { totalTokens, type AttemptCost, type UsageReport } from "../../../contract/usage.ts";
import type { Delegation } from "../../../journal/store.ts";
import { redactCredentials } from "../../../redaction/redact.ts";
import type { RateGate } from "../../../scheduler/rate-gate.ts";
import { AttemptUse } from "./attempt-use.ts";
import { LoopWatch, type LoopSign } from "./loop-watch.ts";
import { readLeaseMs } from "../../delegation/lease.ts";
import { recordEvent } from "../../delegation/record.ts";
import type { StopReason, WorkerHealth } from "../../live/live-attempts.ts";
import { askSilentWorker } from "../../messages/silent-worker.ts";
import { warnLoopingWorker } from "../../messages/looping-worker.ts";
import { findProvider } from "../../delegation/find-provider.ts";
import type { RunTools } from "../../ports/run-tools.ts";

type ToolCall = Extract<AgentEvent, { kind: "tool-called" }>;

/**
 * These reasons stop it without grace: one more request would exceed a limit, or another machine may begin the next
 * attempt.
 */
const withoutGrace: ReadonlySet<StopReason> = new Set([
  "budget",
  "unmetered",
  "own-agents",
  "turns",
  "loop",
  "fenced",
]);

const HEARTBEAT_MS = 2000;

export interface WatchOptions {
  readonly rates: RateGate;
  /** Tool calls it may make; null for no limit. */
  readonly maxTurns: number | null;
  /** Receives every sign of life. */
  readonly health?: WorkerHealth;
}

/** The provider's account was full: how long to wait before the next request. */
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
  readonly #loop = new LoopWatch();
  /** Whether it has written text after its last call. */
  #hasSpoken = false;
  /** Calls whose input was not shown yet. */
  readonly #unknown = new Map<string, ToolCall>();
  readonly #ownAgents: ReturnType<typeof findWorkerAgents>;
  /** Calls of tools that start agents and that are switched off. */
  readonly #refused = new Set<string>();
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
    // A new session of its agent begins with an empty context.
    if (delegation.agentSession === null || delegation.turn.kind === "handover")
      tools.contexts.forget(delegation.id);
    const { adapter = "command", command = [] } = delegation.work ?? {};
    this.#ownAgents = findWorkerAgents(adapter, command);
    this.#provider = findProvider(tools, delegation);
  }

  handleEvent(event: AgentEvent): void {
    this.#options.health?.markHeard(this.#delegation.id, this.#readClockMs());
    switch (event.kind) {
      case "text":
        this.#hasSpoken = true;
        return this.#tools.watch({
          kind: "output",
          delegation: this.#delegation.id,
          text: redactCredentials(event.text).text,
        });
      case "usage":
        return this.countUsage(event);
      case "session-known":
        return this.#queueBooking(this.#rememberSession(this.#booked, event.id));
      case "tool-called":
        this.#hasSpoken = false;
        this.#heedOwnAgents(event);
        return this.#countCall(event);
      case "tool-ended":
        return this.#endCall(event);
      case "provider-failed":
        return this.#closeGate(event.failure);
      default:
        return undefined;
    }
  }

  /** Asks an agent that has been silent for long, and informs its manager. This does not stop it yet. */
  askSilentAgent(idleMs: number): void {
    const ask = (): Promise<void> => askSilentWorker(this.#tools, this.#delegation, idleMs);
    // A failure to record this does not change its limits.
    this.#booked = this.#booked.then(() => ask().catch(() => undefined));
  }

  /** Reports an agent that got past the refusing programs and is therefore neither limited nor counted. */
  tellNestedAgent(command: string): void {
    const message = `It started ${safeText(command)} from a shell: no limit applies to that agent, and its usage is not booked.`;
    const data = { code: "AGENT_STARTED_AGENTS", message };
    const tell = (): Promise<void> =>
      recordEvent(this.#tools, this.#delegation, { type: "limit-warned", data });
    this.#booked = this.#booked.then(() => tell().catch(() => undefined));
  }

  /** Books usage from any source. */
  countUsage(report: UsageReport): void {
    this.#use.queueReport(report);
    this.#measureContext(report);
    this.#options.rates.markAnswered(this.#provider, this.#readClockMs());
    this.#queueBooking(this.#bookUsage(this.#booked));
  }

  /** A report of output alone says nothing about the context of the request. */
  #measureContext({ scope, usage }: UsageReport): void {
    const isOneRequest = scope === "step" || scope === "request";
    if (isOneRequest && usage.inputTokens + usage.cachedTokens > 0)
      this.#tools.contexts.mark(this.#delegation.id, totalTokens(usage));
  }

  async untilExit(contained: ContainedProcess): Promise<StopReason | undefined> {
    this.#process = contained;
    if (this.#stopped !== undefined) this.stopAttempt(this.#stopped);
    // After a failed heartbeat comes the next one; unhandled, it would end every other story too.
    const beat = (): Promise<void> => (this.#beating = this.#sendHeartbeat().catch(() => undefined));
    const timer = setInterval(() => void beat(), HEARTBEAT_MS);
    try {
      await contained.exited;
      await this.#booked;
      if (this.#unbooked !== undefined) throw this.#unbooked.error;
      return this.#stopped;
    } finally {
      clearInterval(timer);
      // The store may be closed next, so no heartbeat may still use it.
      await this.#beating;
    }
  }

  /** Some agents notice a loop themselves and end their turn without a word, as if they were done. */
  get endedInLoop(): boolean {
    const wasAsked = this.#delegation.turn.kind === "repair";
    return this.#loop.isRepeating && (wasAsked || !this.#hasSpoken);
  }

  /** Whether it may ask its model again. Decided when all of its usage is booked, so that a fast agent is not ahead. */
  async mayAskModel(): Promise<boolean> {
    await this.#booked;
    return this.#stopped === undefined && this.#unbooked === undefined;
  }

  /** Types the adapter's wind-down input, if it has one. */
  askToFinish(input: string | undefined): void {
    if (input !== undefined) this.#process?.writeInput(input);
  }

  /** The cost by the agent's report and by the price list; undefined while nothing was reported. */
  get cost(): AttemptCost | undefined {
    return this.#use.cost;
  }

  /** For an attempt that ended because its account was full; closes the gate if no event has done so. */
  holdProvider(): Hold {
    const nowMs = this.#readClockMs();
    const { rates } = this.#options;
    const untilMs = rates.closedUntil(this.#provider, nowMs) ?? rates.closeGate(this.#provider, { nowMs });
    const afterMs = Math.ceil(untilMs - nowMs);
    return { provider: this.#provider, afterMs, untilWallMs: this.#tools.clock.wallMs() + afterMs };
  }

  /** If usage cannot be recorded, stop the attempt: its budget can no longer be enforced. */
  #queueBooking(booking: Promise<void>): void {
    this.#booked = booking.catch((error: unknown) => {
      this.#unbooked ??= { error };
      void this.#process?.stop("its usage could not be recorded");
    });
  }

  /** Stops the attempt. The first reason counts. */
  stopAttempt(reason: StopReason): void {
    this.#stopped ??= reason;
    void this.#process?.stop(reason, withoutGrace.has(reason) ? { graceMs: 0 } : {});
  }

  /** Books one report after the other, in their order. */
  async #bookUsage(earlier: Promise<void>): Promise<void> {
    await earlier;
    const pressure = await this.#use.bookReports();
    if (pressure === "soft") this.#process?.windDown();
    if (pressure === "hard") this.stopAttempt("budget");
    if (pressure === "unmetered") this.stopAttempt("unmetered");
  }

  async #rememberSession(earlier: Promise<void>, sessionId: string): Promise<void> {
    await earlier;
    await recordEvent(this.#tools, this.#delegation, { type: "session-known", data: { sessionId } });
  }

  /** Limits an agent that reports its usage only when it ends. */
  #countCall(call: ToolCall): void {
    const { id = `call ${this.#calls.size}`, input } = call;
    const isNew = !this.#calls.has(id);
    this.#calls.add(id);
    // A program may announce one call twice, and say its input only the second time.
    if (input === undefined && call.id !== undefined) {
      if (isNew) this.#unknown.set(id, call);
    } else if (isNew || this.#unknown.delete(id)) this.#heedLoop(this.#loop.countCall(call));
    const { maxTurns } = this.#options;
    if (maxTurns !== null && this.#calls.size > maxTurns) this.stopAttempt("turns");
  }

  /** Output keeps a looping agent from looking silent, so the time limit alone would let it spend for long. */
  #heedLoop(sign: LoopSign): void {
    if (sign === "none") return;
    const mayBeMeant = this.#loop.isWaiting;
    if (sign === "stop" && !mayBeMeant) return this.stopAttempt("loop");
    this.#booked = this.#booked.then(() => (mayBeMeant ? this.#heedWaiting(sign) : this.#endLoop(sign)));
  }

  /** Waiting for workers is repeated on purpose; without a worker it is a loop like any other. */
  async #heedWaiting(sign: LoopSign): Promise<void> {
    const { id, story } = this.#delegation;
    const tree = await this.#tools.store.storyTree(story).catch(() => []);
    const hasWorkers = tree.some(({ parent, state }) => parent === id && state !== "closed");
    if (hasWorkers) this.#loop.forgetCalls();
    else await this.#endLoop(sign);
  }

  async #endLoop(sign: LoopSign): Promise<void> {
    if (sign === "stop") return this.stopAttempt("loop");
    // A failure to warn it does not change its limits.
    await warnLoopingWorker(this.#tools, this.#delegation).catch(() => undefined);
  }

  #endCall({ id, ok }: Extract<AgentEvent, { kind: "tool-ended" }>): void {
    const call = this.#unknown.get(id);
    this.#unknown.delete(id);
    if (call !== undefined) this.#heedLoop(this.#loop.countCall(call));
    // Its switch did not work: the call of a tool that is switched off would have failed.
    if (ok && this.#refused.has(id)) this.stopAttempt("own-agents");
  }

  /** No limit applies to agents that an agent starts itself, so it is stopped when it begins that. */
  #heedOwnAgents({ name, id }: ToolCall): void {
    const own = this.#ownAgents;
    if (own === undefined || !startsOwnAgent(own, name)) return;
    if (!own.isSwitchedOff) this.stopAttempt("own-agents");
    else if (id !== undefined) this.#refused.add(id);
  }

  #closeGate({ isRateLimit, retryAfterMs }: ProviderFailure): void {
    if (isRateLimit)
      this.#options.rates.closeGate(this.#provider, { nowMs: this.#readClockMs(), retryAfterMs });
  }

  #readClockMs(): number {
    return this.#tools.clock.monotonicMs();
  }

  async #sendHeartbeat(): Promise<void> {
    const { id, attempt } = this.#delegation;
    const answer = await this.#tools.store.heartbeat(id, attempt, readLeaseMs(this.#tools));
    if (answer === "cancelled") this.stopAttempt("cancelled");
    if (answer === "stale") this.stopAttempt("replaced");
  }
}
