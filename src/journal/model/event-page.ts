export interface StoredEvent {
  readonly seq: number;
  /** The exact text that is hashed. */
  readonly body: string;
  readonly hash: string;
}

export interface EventPage {
  readonly events: readonly StoredEvent[];
  /** Pass it to the next call; unchanged when there were no new events. */
  readonly cursor: number;
}

export interface EventFilter {
  readonly story?: string;
  readonly delegation?: string;
}
