/** The only source of time. Wall time is for records, monotonic time for deadlines. */
export interface Clock {
  /** Milliseconds since 1970, may jump. */
  wallMs(): number;
  /** Milliseconds that only ever grow, with no meaning across processes. */
  monotonicMs(): number;
}

export const systemClock: Clock = {
  wallMs: () => Date.now(),
  monotonicMs: () => performance.now(),
};
