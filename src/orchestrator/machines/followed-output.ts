import type { AttemptName, Board, BoardNotice } from "../../journal/machines.ts";
import type { Store } from "../../journal/store.ts";
import { KeyedLock } from "../live/keyed-lock.ts";
import type { ReceivedOutput } from "./received-output.ts";

export interface FollowParts {
  readonly board: Pick<Board, "forgetOldOutput" | "listNewest" | "onNotice">;
  readonly store: Pick<Store, "delegation">;
  readonly received: ReceivedOutput;
}

const LOOK_MS = 5000;
/** Notices may be lost with a connection, so the output of the last minute is read again. */
const RECENT_MS = 60_000;
const WEEK_MS = 7 * 24 * 60 * 60_000;

/** Brings the output of attempts on other machines here as it comes. */
export class FollowedOutput {
  readonly #parts: FollowParts;
  readonly #order = new KeyedLock();
  readonly #waiting = new Set<string>();
  #unfollow: () => void = () => undefined;
  #timer: NodeJS.Timeout | undefined;

  constructor(parts: FollowParts) {
    this.#parts = parts;
  }

  follow(): void {
    const { board } = this.#parts;
    this.#unfollow = board.onNotice((notice) => this.#hear(notice));
    this.#timer = setInterval(() => void this.#look(RECENT_MS), LOOK_MS);
    this.#timer.unref();
    void board
      .forgetOldOutput()
      // Much of it takes longer than an answer may; PostgreSQL removes it all the same.
      .catch(() => undefined)
      .then(() => this.#look(WEEK_MS));
  }

  stop(): void {
    clearInterval(this.#timer);
    this.#unfollow();
  }

  /** Never fails: missing output comes with a later look. */
  async bring(name: AttemptName): Promise<void> {
    const key = `${name.delegation}.${name.attempt}`;
    // A call that waits for its turn will bring this as well.
    if (this.#waiting.has(key)) return this.#order.runInOrder(key, () => Promise.resolve());
    this.#waiting.add(key);
    const run = async (): Promise<void> => {
      this.#waiting.delete(key);
      await this.#bringKnown(name);
    };
    await this.#order.runInOrder(key, run).catch(() => undefined);
  }

  /** The name of a folder comes from the journal, never from a notice. */
  async #bringKnown({ delegation, attempt }: AttemptName): Promise<void> {
    const known = await this.#parts.store.delegation(delegation);
    if (known !== undefined && Number.isSafeInteger(attempt))
      await this.#parts.received.bring({ delegation: known.id, attempt });
  }

  #hear(notice: BoardNotice): void {
    if (notice.kind === "output") void this.bring(notice);
  }

  async #look(withinMs: number): Promise<void> {
    const { board, received } = this.#parts;
    const newest = await board.listNewest(withinMs).catch(() => []);
    for (const one of newest) if (received.isNew(one, one.number)) await this.bring(one);
  }
}
