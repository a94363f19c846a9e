import { readErrorMessage } from "../../base/delegation-error.ts";
import { isWriteTrouble } from "../../base/file-trouble.ts";
import type { Delegation } from "../../journal/store.ts";
import { addNote } from "../delegation/record.ts";
import type { RunTools } from "../ports/run-tools.ts";

interface Pause {
  readonly why: string;
  /** After this time it ends with the error: as long as its delegation may run. */
  readonly untilMs: number;
  /** How often it continued and met the same trouble, although the disk seemed to have room. */
  readonly tries: number;
  readonly isOver: boolean;
}

const FIRST_WAIT_MS = 250;
const MAX_WAIT_MS = 4000;
const MAX_TRIES = 3;

/**
 * Delegations that wait because the disk is full or read-only. They stay open as they are, and continue by themselves
 * when there is room. If the disk seems to have room and the trouble comes back, they end with it after some tries.
 */
export class RoomPause {
  readonly #tools: RunTools;
  readonly #consider: (id: string) => void;
  readonly #resume: (delegation: Delegation) => Promise<void>;
  readonly #pauses = new Map<string, Pause>();
  readonly #timers = new Map<string, NodeJS.Timeout>();

  /** `resume` brings a delegation whose attempt was interrupted into a state from which it can continue. */
  constructor(
    tools: RunTools,
    consider: (id: string) => void,
    resume: (delegation: Delegation) => Promise<void>,
  ) {
    this.#tools = tools;
    this.#consider = consider;
    this.#resume = resume;
  }

  /** Accepts a delegation that an error kept from moving on; false if it has to end with that error. */
  async takeDelegation(delegation: Delegation, error: unknown): Promise<boolean> {
    const { id, timeoutSeconds, cancelRequested } = delegation;
    // Git does not always say why it could not write.
    const isForRoom = isWriteTrouble(error) || this.#tools.git.isDiskFull();
    if (!isForRoom || cancelRequested) return false;
    const nowMs = this.#tools.clock.monotonicMs();
    const before = this.#pauses.get(id);
    const tries = (before?.tries ?? 0) + (this.#hasRoom() ? 1 : 0);
    const untilMs = before?.untilMs ?? nowMs + timeoutSeconds * 1000;
    if (tries > MAX_TRIES || nowMs > untilMs) return false;
    const why = readErrorMessage(error);
    this.#pauses.set(id, { why, untilMs, tries, isOver: false });
    this.#lookLater(id, Math.min(MAX_WAIT_MS, FIRST_WAIT_MS * 2 ** tries));
    // The note may not fit either; then `explain` and `doctor` still say it.
    if (before === undefined)
      await addNote(this.#tools, { ...delegation, attempt: 0 }, `It ${describePause(why)}`).catch(
        () => undefined,
      );
    return true;
  }

  /** Whether a look at it has to wait. Once there is room, it is brought into a state from which it can continue. */
  async holds(delegation: Delegation): Promise<boolean> {
    const { id, cancelRequested } = delegation;
    const pause = this.#pauses.get(id);
    if (pause === undefined || !this.#isPaused(id)) return false;
    if (cancelRequested) {
      this.forget(id);
      return false;
    }
    if (!pause.isOver) return true;
    this.#timers.delete(id);
    await this.#resume(delegation);
    this.#consider(id);
    return true;
  }

  /** Undefined for a delegation that does not wait for room. */
  whyPaused(id: string): string | undefined {
    const pause = this.#isPaused(id) ? this.#pauses.get(id) : undefined;
    return pause === undefined ? undefined : `it ${describePause(pause.why)}`;
  }

  listPaused(): readonly string[] {
    return [...this.#timers.keys()];
  }

  forget(id: string): void {
    clearTimeout(this.#timers.get(id));
    this.#timers.delete(id);
    this.#pauses.delete(id);
  }

  clearTimers(): void {
    for (const id of this.listPaused()) this.forget(id);
  }

  #isPaused(id: string): boolean {
    return this.#timers.has(id);
  }

  #lookLater(id: string, waitMs: number): void {
    clearTimeout(this.#timers.get(id));
    this.#timers.set(
      id,
      setTimeout(() => this.#lookForRoom(id, waitMs), waitMs),
    );
  }

  #lookForRoom(id: string, waitMs: number): void {
    const pause = this.#pauses.get(id);
    if (pause === undefined) return;
    const isLate = this.#tools.clock.monotonicMs() > pause.untilMs;
    if (!this.#hasRoom() && !isLate) return this.#lookLater(id, waitMs);
    this.#pauses.set(id, { ...pause, isOver: true });
    return this.#consider(id);
  }

  #hasRoom(): boolean {
    try {
      this.#tools.git.requireRoom();
      return true;
    } catch {
      // Whatever the error says, the delegation cannot continue now.
      return false;
    }
  }
}

function describePause(why: string): string {
  return `is paused until the disk has room: ${why}`;
}
