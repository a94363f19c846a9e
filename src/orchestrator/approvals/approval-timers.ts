import type { Approval } from "../../journal/store.ts";
import type { RunTools } from "../ports/run-tools.ts";

const MAX_TIMER_MS = 2 ** 31 - 1;

/** A question expires when it stays unanswered for as long as its delegation may run. */
export class ApprovalTimers {
  readonly #tools: RunTools;
  readonly #expire: (id: string) => Promise<void>;
  readonly #timers = new Map<string, NodeJS.Timeout>();

  constructor(tools: RunTools, expire: (id: string) => Promise<void>) {
    this.#tools = tools;
    this.#expire = expire;
  }

  /** Watches every question of a delegation that has no answer yet. */
  async watchOpen(delegation: string): Promise<void> {
    for (const approval of await this.#tools.store.approvalsOf(delegation))
      if (approval.answer === null) await this.#watchApproval(approval);
  }

  async #watchApproval(approval: Approval): Promise<void> {
    if (this.#timers.has(approval.id)) return;
    const delegation = await this.#tools.store.delegation(approval.delegation);
    const deadline = Date.parse(approval.askedAt) + (delegation?.timeoutSeconds ?? 0) * 1000;
    const left = Math.min(Math.max(0, deadline - this.#tools.clock.wallMs()), MAX_TIMER_MS);
    // Another call may have set it while we read.
    clearTimeout(this.#timers.get(approval.id));
    const timer = setTimeout(() => void this.#expire(approval.id).catch(() => undefined), left);
    this.#timers.set(approval.id, timer);
  }

  forgetApproval(id: string): void {
    clearTimeout(this.#timers.get(id));
    this.#timers.delete(id);
  }

  clearTimers(): void {
    for (const timer of this.#timers.values()) clearTimeout(timer);
    this.#timers.clear();
  }
}
