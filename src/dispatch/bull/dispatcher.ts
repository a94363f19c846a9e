/** An attempt that a machine may begin. It is only a hint: the store decides which machine begins it. */
export interface Offer {
  readonly id: string;
  readonly attempt: number;
  /** Among the offers that wait in one pool, the one of higher priority is brought first. */
  readonly priority: number;
}

/**
 * Carries offers to machines. It may lose them, repeat them or bring them late; that costs time, but never a wrong state.
 */
export interface Dispatcher {
  /** An offer that still waits is not added a second time. Fails when the queue does not answer in time. */
  offer(offer: Offer): Promise<void>;
  /** The next offer, for one machine only; undefined when none came for a few seconds. */
  take(): Promise<Offer | undefined>;
  close(): Promise<void>;
}

/** Where offers wait. The queue is named after the project. */
export interface DispatchPlace {
  readonly kind: "postgres" | "redis";
  readonly url: string;
  readonly project: string;
  /** Each pool of machines has a queue of its own. */
  readonly pool: string;
  /** A connection that has not answered after this time counts as lost; by default ten seconds. */
  readonly answerMs?: number;
}
