import { readErrorMessage } from "../../base/delegation-error.ts";
import type { JournalEvent } from "../../contract/journal-event.ts";
import type { StoreReader } from "../../journal/store.ts";
import { isCheckpointDue } from "../../journal/advance-checkpoint.ts";
import { storeFile } from "../../journal/store-file.ts";
import { readJournalAnchor, writeJournalAnchor } from "../../workspace/journal-anchor.ts";
import { openRepository, type Repository } from "../../workspace/repository.ts";

interface AnchorParts {
  readonly projectRoot: string;
  readonly environment: Readonly<Record<string, string | undefined>>;
  readonly store: StoreReader;
  readonly keepCheckpoint: (repository: Repository, file: string) => Promise<number>;
  readonly log: (line: string) => void;
}

/**
 * Notes in git how far the journal has come, each time a story ends, and which checkpoint belongs to it. A journal that
 * has lost noted events is not noted again: `ambit audit --verify` reports it until a person accepts it with `ambit
 * doctor --repair`.
 */
export class AnchorKeeper {
  readonly #parts: AnchorParts;
  #repository: Promise<Repository> | undefined;
  #last: Promise<void> = Promise.resolve();
  /** The number of events that the last checkpoint covers, as far as is known. */
  #checkpointed = 0;

  constructor(parts: AnchorParts) {
    this.#parts = parts;
  }

  onEvent({ type, delegation, story }: JournalEvent): void {
    if (type !== "delegation-closed" || delegation !== story) return;
    this.#last = this.#last
      .then(() => this.#note())
      .catch((error: unknown) =>
        this.#parts.log(`The end of the journal was not noted in git: ${readErrorMessage(error)}`),
      );
  }

  /** Resolves when everything seen so far is noted. */
  idle(): Promise<void> {
    return this.#last;
  }

  async #note(): Promise<void> {
    const { store } = this.#parts;
    const repository = await this.#open();
    const noted = await readJournalAnchor(repository);
    if (noted !== undefined) {
      const { events } = await store.eventsAfter(noted.events - 1, 1);
      if (events[0]?.hash !== noted.hash) return;
    }
    const { seq, hash } = await store.head();
    await writeJournalAnchor(repository, { events: seq, hash });
    if (isCheckpointDue(seq, this.#checkpointed))
      this.#checkpointed = await this.#parts.keepCheckpoint(repository, storeFile(this.#parts.projectRoot));
  }

  #open(): Promise<Repository> {
    const { projectRoot, environment } = this.#parts;
    const host = { searchPath: environment["PATH"] ?? "/usr/bin:/bin", home: environment["HOME"] ?? "/" };
    return (this.#repository ??= openRepository(projectRoot, host));
  }
}
