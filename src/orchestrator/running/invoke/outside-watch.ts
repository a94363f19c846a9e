import { countThings } from "../../../base/count-things.ts";
import type { OutsideState } from "../../../workspace/outside-state.ts";
import { recordEvent } from "../../delegation/record.ts";
import type { OutsideChange, OutsideWindows } from "../../live/outside-windows.ts";
import type { RunTools } from "../../ports/run-tools.ts";
import type { PreparedAttempt } from "../prepare/prepare-attempt.ts";

const MAX_NAMED = 10;

/** Compares the state that a worker could write outside its workspace, before and after it works without a sandbox. */
export class OutsideWatch {
  readonly #tools: RunTools;
  readonly #windows: OutsideWindows;
  readonly #delegation: PreparedAttempt["delegation"];
  /** Resolves when the worker may start. */
  readonly whenReady: Promise<void>;
  #isInside: boolean;

  constructor(tools: RunTools, windows: OutsideWindows, { delegation, place }: PreparedAttempt) {
    this.#tools = tools;
    this.#windows = windows;
    this.#delegation = delegation;
    this.#isInside = place.outbox === undefined;
    // This runs in parallel with other preparations, because git may need a moment for it.
    this.whenReady = this.#isInside ? windows.enter(delegation.story, this.#look) : Promise.resolve();
  }

  /** Reports the changes in between; a person who worked meanwhile knows which of them were theirs. */
  async lookAfter(): Promise<void> {
    if (!this.#isInside) return;
    this.#isInside = false;
    const change = await this.#windows.leave(this.#delegation.story, this.#look);
    if (change === undefined || change.changed.length === 0) return;
    await recordEvent(this.#tools, this.#delegation, {
      type: "limit-warned",
      data: { code: "CHANGED_OUTSIDE", message: describeChange(change) },
    });
  }

  /** Called for an attempt that never began. */
  async leave(): Promise<void> {
    if (!this.#isInside) return;
    this.#isInside = false;
    await this.#windows.leave(this.#delegation.story, () => Promise.resolve(undefined));
  }

  /** A look that fails reports nothing; the work itself does not depend on it. */
  readonly #look = (): Promise<OutsideState | undefined> =>
    this.#tools.git.readOutside().catch(() => undefined);
}

function describeChange({ changed, others }: OutsideChange): string {
  const named = changed.slice(0, MAX_NAMED).join(", ");
  const rest = changed.length > MAX_NAMED ? ` and ${changed.length - MAX_NAMED} more` : "";
  const who =
    others === 0 ? "it worked" : `it and ${countThings(others, "other worker")} of its story worked`;
  const whose = others === 0 ? "by it" : "by one of them";
  return `While ${who}, this changed outside its workspace, by you or ${whose}: ${named}${rest}`;
}
