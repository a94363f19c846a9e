import type { Delegation } from "../../journal/store.ts";
import { nameManagerBranch } from "../delegation/manager-branch.ts";
import { pickStoryTools } from "../delegation/story-tools.ts";
import { KeyedLock } from "../live/keyed-lock.ts";
import type { RunTools } from "../ports/run-tools.ts";
import { moved, type Step } from "../ports/step.ts";
import { type BranchHold, WaitingLine } from "./waiting-line.ts";

type Settle = (tools: RunTools, delegation: Delegation, hold: BranchHold) => Promise<Step>;

/** The proofs and merges under way: one at a time per branch, because work proven on a tree must be merged into it. */
export class Proofs {
  readonly #tools: RunTools;
  readonly #branches = new KeyedLock();
  readonly #lines = new Map<string, WaitingLine>();
  readonly #aborts = new Map<string, AbortController>();
  #isClosed = false;

  constructor(tools: RunTools) {
    this.#tools = tools;
  }

  /** Settles a delegation while no other can move its manager's branch; if its state changed meanwhile, look again. */
  async holdBranch({ id, parent, story, state }: Delegation, settle: Settle): Promise<Step> {
    // The look had begun before the runtime began to end.
    if (this.#isClosed) return moved;
    const branch = nameManagerBranch(parent ?? id, story);
    const line = this.#findLine(branch);
    const abort = new AbortController();
    this.#aborts.set(id, abort);
    if (state === "returned") line.join(id, abort.signal);
    let hasBegun = false;
    const settled = this.#branches.runInOrder(branch, async () => {
      if (abort.signal.aborted) return moved;
      hasBegun = true;
      line.leave(id);
      const newest = await this.#tools.store.delegation(id);
      return newest?.state === state
        ? settle(await pickStoryTools(this.#tools, story), newest, { signal: abort.signal, line })
        : moved;
    });
    // A stop ends checks that run, and does not wait for a branch that another delegation holds.
    const stopped = whenAborted(abort.signal).then(() => (hasBegun ? settled : moved));
    try {
      return await Promise.race([settled, stopped]);
    } finally {
      this.#aborts.delete(id);
      line.leave(id);
      if (line.isEmpty && this.#lines.get(branch) === line) this.#lines.delete(branch);
    }
  }

  #findLine(branch: string): WaitingLine {
    const line = this.#lines.get(branch) ?? new WaitingLine();
    this.#lines.set(branch, line);
    return line;
  }

  stopProof(id: string): void {
    this.#aborts.get(id)?.abort();
    this.#tools.baseChecks?.stop(id);
  }

  /** Ends running proofs; nothing is proven afterwards. */
  async stopAllProofs(): Promise<void> {
    this.#isClosed = true;
    for (const abort of this.#aborts.values()) abort.abort();
    await this.#tools.baseChecks?.stopAll();
  }
}

function whenAborted(signal: AbortSignal): Promise<void> {
  return new Promise((resolve) => signal.addEventListener("abort", () => resolve(), { once: true }));
}
