import type { JournalEvent } from "../../contract/journal-event.ts";
import type { Delegation } from "../../journal/store.ts";

/** The attempts that live machines can run at once. A machine of several pools counts for each of them. */
export interface MachineSlots {
  readonly total: number;
  readonly pools: ReadonlyMap<string, number>;
}

/** Attempts that other machines run. A process without these runs attempts itself. */
export interface RemoteAttempts {
  /**
   * Offers the next attempt to the machines, or finds the attempt that a machine has; resolves when it is over there,
   * with any outcome, and its work is here.
   */
  run(delegation: Delegation): Promise<void>;
  /** Whether a machine holds the newest attempt. */
  isHeld(delegation: Delegation): Promise<boolean>;
  /** The reason why it does not begin, if machines are missing. */
  whyWaiting(id: string): string | undefined;
  /** Keeps this commit where other machines can start from it. */
  keepBase(id: string, commit: string): Promise<void>;
  /** The whole story has ended: the machines need nothing of it any more. */
  forgetStory(story: string): Promise<void>;
  /**
   * Passes on events that may need a look at their delegation, and the number of workers that all live machines can run
   * at once.
   */
  follow(onEvent: (event: JournalEvent) => void, onSlots: (slots: MachineSlots) => void): void;
  /** Resolves every run; the attempts continue on their machines. */
  stop(): void;
}
