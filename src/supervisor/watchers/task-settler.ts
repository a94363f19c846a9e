import { readErrorMessage } from "../../base/delegation-error.ts";
import type { JournalEvent } from "../../contract/journal-event.ts";
import type { RunTools } from "../../orchestrator/create-run-tools.ts";
import { settleLeftTasks, settleTask } from "../../orchestrator/settle-task.ts";

/** Settles the tasks of stories that end, one after the other. A failure is logged and stops nothing. */
export class TaskSettler {
  readonly #tools: RunTools;
  readonly #log: (line: string) => void;
  #last: Promise<void> = Promise.resolve();

  constructor(tools: RunTools, log: (line: string) => void) {
    this.#tools = tools;
    this.#log = log;
  }

  /** Settles the tasks that a dead runtime left unsettled. */
  settleEarlier(): void {
    this.#last = this.#last
      .then(() => settleLeftTasks(this.#tools))
      .catch((error: unknown) =>
        this.#log(`Tasks of earlier stories were not settled: ${readErrorMessage(error)}`),
      );
  }

  onEvent({ type, delegation, story }: JournalEvent): void {
    if (type !== "delegation-closed" || delegation !== story) return;
    this.#last = this.#last
      .then(() => settleTask(this.#tools, story))
      .catch((error: unknown) =>
        this.#log(`The task of ${story} was not settled: ${readErrorMessage(error)}`),
      );
  }

  /** Resolves when everything seen so far is settled. */
  idle(): Promise<void> {
    return this.#last;
  }
}
