import type { JournalEvent } from "../../contract/journal-event.ts";
import type { Delegation } from "../../journal/store.ts";

/** What live machines can run at once. A machine of several pools counts for each of them. */
export interface MachineSlots {
  readonly total: number;
  readonly pools: ReadonlyMap<string, number>;
}

/** Attempts that other machines run. A process without these runs attempts itself. */
export interface RemoteAttempts {
  /**
   * Offers the next attempt to the machines, or finds the one that a machine has; resolves when it is over there, whatever
   * came of it, and its work is here.
   */
  run(delegation: Delegation): Promise<void>;
  /** Whether a machine holds the newest attempt. */
  isHeld(delegation: Delegation): Promise<boolean>;
  /** Why it is not begun, where machines are missing. */
  whyWaiting(id: string): string | undefined;
  /** Other machines can start from this commit. */
  keepBase(id: string, commit: string): Promise<void>;
  /** The whole story has ended: the machines need nothing of it any more. */
  forgetStory(story: string): Promise<void>;
  /** Tells of events that may ask for a look at their delegation, and how many workers all live machines can run at once. */
  follow(onEvent: (event: JournalEvent) => void, onSlots: (slots: MachineSlots) => void): void;
  /** Resolves every run; the attempts go on where they are. */
  stop(): void;
}
