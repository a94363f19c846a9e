import { readErrorMessage } from "../../base/delegation-error.ts";

/** Watches whether the disk of this machine has room for another attempt, and reports when that changes. */
export class DiskWatch {
  readonly #requireRoom: () => void;
  readonly #log: (line: string) => void;
  #hadRoom = true;

  /** `requireRoom` throws if there is no room. */
  constructor(requireRoom: () => void, log: (line: string) => void) {
    this.#requireRoom = requireRoom;
    this.#log = log;
  }

  hasRoom(): boolean {
    const trouble = this.#findTrouble();
    const hasRoom = trouble === undefined;
    if (this.#hadRoom !== hasRoom)
      this.#log(
        hasRoom
          ? "there is room on the disk again"
          : `no more attempts are taken until there is room: ${trouble}`,
      );
    this.#hadRoom = hasRoom;
    return hasRoom;
  }

  #findTrouble(): string | undefined {
    try {
      this.#requireRoom();
      return undefined;
    } catch (error) {
      return readErrorMessage(error);
    }
  }
}
