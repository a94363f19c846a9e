import type { AgentEvent, ReportedUsage } from "../agents/adapter.ts";
import type { ContainedProcess } from "../containment/contained-process.ts";
import type { Usage } from "../contract/usage.ts";
import type { Delegation } from "../journal/store.ts";
import type { RunTools } from "./run-tools.ts";

export type StopReason = "budget" | "cancelled" | "replaced";

const HEARTBEAT_MS = 2000;
const LEASE_MS = 60_000;

/** Follows one attempt: heartbeats carry a cancellation in, usage reports carry the budget. */
export class AttemptWatch {
  readonly #tools: RunTools;
  readonly #delegation: Delegation;
  #process: ContainedProcess | undefined;
  #stopped: StopReason | undefined;
  #booked: Promise<void> = Promise.resolve();
  #hasAlerted = false;
  #unbooked: { readonly error: unknown } | undefined;

  constructor(tools: RunTools, delegation: Delegation) {
    this.#tools = tools;
    this.#delegation = delegation;
  }

  see(event: AgentEvent): void {
    if (event.kind === "text")
      this.#tools.watch({ kind: "output", delegation: this.#delegation.id, text: event.text });
    if (event.kind === "usage") this.#next(this.#book(this.#booked, toUsage(event.usage)));
    if (event.kind === "session-known") this.#next(this.#rememberSession(this.#booked, event.id));
  }

  async untilExit(contained: ContainedProcess): Promise<StopReason | undefined> {
    this.#process = contained;
    if (this.#stopped !== undefined) void contained.stop(this.#stopped);
    // One that fails is followed by the next; left unhandled it would end every other story too.
    const timer = setInterval(() => void this.#beat().catch(() => undefined), HEARTBEAT_MS);
    try {
      await contained.exited;
      await this.#booked;
      if (this.#unbooked !== undefined) throw this.#unbooked.error;
      return this.#stopped;
    } finally {
      clearInterval(timer);
    }
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
    void this.#process?.stop(reason);
  }

  /** One after the other, in the order of the reports. */
  async #book(earlier: Promise<void>, usage: Usage): Promise<void> {
    await earlier;
    const { id, attempt } = this.#delegation;
    const result = await this.#tools.store.spend(id, attempt, usage);
    if (result.kind !== "ok") return;
    if (result.pressure === "soft") this.#process?.windDown();
    if (result.pressure === "hard") this.stop("budget");
    if (usage.microUsd > 0) await this.#alert();
  }

  /** A story above its alert threshold is said once; nothing stops for it. */
  async #alert(): Promise<void> {
    if (this.#hasAlerted) return;
    const { id, story, attempt } = this.#delegation;
    const limits = (await this.#tools.store.story(story))?.limits;
    const spent = (await this.#tools.store.storyTree(story)).reduce((sum, { microUsd }) => sum + microUsd, 0);
    if (limits === undefined || spent <= limits.alertMicroUsd) return;
    this.#hasAlerted = true;
    const message = `The story has cost ${dollars(spent)}; you asked to hear above ${dollars(limits.alertMicroUsd)}.`;
    const data = { code: "COST_ALERT", message };
    await this.#tools.store.record({ type: "limit-warned", story, delegation: id, attempt, data });
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

  async #beat(): Promise<void> {
    const { id, attempt } = this.#delegation;
    const answer = await this.#tools.store.heartbeat(id, attempt, LEASE_MS);
    if (answer === "cancelled") this.stop("cancelled");
    if (answer === "stale") this.stop("replaced");
  }
}

function dollars(microUsd: number): string {
  return `$${(microUsd / 1_000_000).toFixed(2)}`;
}

function toUsage(reported: ReportedUsage): Usage {
  return { ...reported, microUsd: reported.microUsd ?? 0, source: reported.source ?? "reported" };
}
