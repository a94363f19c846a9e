import { setTimeout as delay } from "node:timers/promises";
import type { AttemptName, HeartbeatResult } from "../model/store.ts";
import type { RemoteJournal } from "./remote-journal.ts";

interface Beat {
  readonly key: AttemptName;
  readonly leaseMs: number;
  readonly done: (result: HeartbeatResult) => void;
  readonly failed: (error: unknown) => void;
}

export interface HeartbeatTools {
  readonly remote: RemoteJournal;
  /** If this returns undefined, the database's own time counts. */
  readonly nowMs: () => number | undefined;
  /** Brings the tables up to an event, if they are not there yet. */
  readonly reach: (seq: number) => Promise<void>;
  readonly judge: (key: AttemptName) => HeartbeatResult;
}

/** How long a heartbeat waits for others to be sent with it. */
const GATHER_MS = 20;
/** The tables wait for steps that wait for the lock; the lease is extended all the same, and its machine must know. */
const REACH_MS = 1000;

/**
 * Sends the heartbeats of all attempts of this process in one statement, without the project's lock. A lease that has run
 * out is not extended any more: another machine may have begun the next attempt.
 */
export class Heartbeats {
  readonly #tools: HeartbeatTools;
  #waiting: Beat[] = [];

  constructor(tools: HeartbeatTools) {
    this.#tools = tools;
  }

  send(key: AttemptName, leaseMs: number): Promise<HeartbeatResult> {
    return new Promise((done, failed) => {
      this.#waiting.push({ key, leaseMs, done, failed });
      if (this.#waiting.length === 1) void delay(GATHER_MS).then(() => this.#flush());
    });
  }

  async #flush(): Promise<void> {
    const beats = this.#waiting;
    this.#waiting = [];
    const { remote, nowMs, reach, judge } = this.#tools;
    try {
      const sent = beats.map(({ key, leaseMs }) => ({
        delegation: key.id,
        attempt: key.attempt,
        lease: leaseMs,
      }));
      const { held, seq } = await remote.beat(sent, nowMs());
      const reached = reach(seq);
      await Promise.race([reached, delay(REACH_MS, undefined, { ref: false })]);
      reached.catch(() => undefined);
      for (const { key, done } of beats) done(held.has(key.id) ? judge(key) : "stale");
    } catch (error) {
      for (const { failed } of beats) failed(error);
    }
  }
}
