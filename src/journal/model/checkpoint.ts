/**
 * The projections as of one event, in a file next to the store. It is made by replaying the journal, never from the
 * projections in use. These facts about it are kept outside the store, so that a changed file is noticed.
 */
export interface Checkpoint {
  /** How many events were replayed. */
  readonly events: number;
  /** The hash of the last of them. */
  readonly hash: string;
  /** SHA-256 of the file. */
  readonly digest: string;
}
