import type { Delegation } from "../../../journal/store.ts";
import { compareOutside, type OutsideState } from "../../../workspace/outside-state.ts";
import { recordEvent } from "../../delegation/record.ts";
import type { RunTools } from "../../ports/run-tools.ts";
import type { PreparedAttempt } from "../prepare/prepare-attempt.ts";

const MAX_NAMED = 10;

/** Compares what a story's own agent could write outside its workspace, before and after it works without a sandbox. */
export class OutsideWatch {
  readonly #tools: RunTools;
  readonly #delegation: Delegation;
  readonly #isWatched: boolean;
  /** The worker may start. */
  readonly whenReady: Promise<void>;
  #before: OutsideState | undefined;

  constructor(tools: RunTools, { delegation, place }: PreparedAttempt) {
    this.#tools = tools;
    this.#delegation = delegation;
    // Around a story's own agent only: each look asks git twice, which hundreds of small workers would pay for.
    this.#isWatched = place.outbox === undefined && delegation.depth === 0;
    // Beside other preparations, because git may need a moment for it.
    this.whenReady = this.#lookBefore();
  }

  /** Says what has changed in between; a person who worked meanwhile knows which of it was theirs. */
  async lookAfter(): Promise<void> {
    const after = this.#before === undefined ? undefined : await this.#look();
    if (this.#before === undefined || after === undefined) return;
    const changed = compareOutside(this.#before, after);
    if (changed.length === 0) return;
    const named = changed.slice(0, MAX_NAMED).join(", ");
    const rest = changed.length > MAX_NAMED ? ` and ${changed.length - MAX_NAMED} more` : "";
    const message = `While it worked, this changed outside its workspace, by you or by it: ${named}${rest}`;
    await recordEvent(this.#tools, this.#delegation, {
      type: "limit-warned",
      data: { code: "CHANGED_OUTSIDE", message },
    });
  }

  async #lookBefore(): Promise<void> {
    this.#before = await this.#look();
  }

  /** A look that fails says nothing; the work itself does not depend on it. */
  async #look(): Promise<OutsideState | undefined> {
    return this.#isWatched ? this.#tools.git.readOutside().catch(() => undefined) : undefined;
  }
}
