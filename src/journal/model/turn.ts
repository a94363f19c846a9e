import type { TurnKind } from "../../contract/turn-kind.ts";

/** The reason for the next attempt, and how often each reason has occurred. */
export interface Turn {
  readonly kind: TurnKind;
  readonly note: string;
  readonly counts: Readonly<Partial<Record<TurnKind, number>>>;
  /** Attempts during which the runtime died. */
  readonly lost: number;
  /** Attempts that were lost with a machine of the cluster. */
  readonly lostMachines: number;
  /** Attempts that ended because the provider's account was full. */
  readonly held: number;
  /** Wall time before which it must not start. */
  readonly notBeforeMs: number;
  /** The provider it waits for until then; null if it waits for none. */
  readonly heldBy: string | null;
}
