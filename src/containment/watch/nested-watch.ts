import { findNestedPrograms } from "../processes/nested-programs.ts";
import type { ProcessTable } from "../process-table/process-entry.ts";
import { readProcessTableGently } from "../process-table/process-table.ts";
import type { ProcessTree } from "../processes/process-tree.ts";

/** No agent is done earlier than this, and short workers cost nothing. */
const FIRST_LOOK_MS = 1000;
const LOOK_EVERY_MS = 2000;

/** Checks now and then for programs that a tree should not start. */
export class NestedWatch {
  readonly #names: ReadonlySet<string>;
  readonly #told = new Set<string>();
  #nextMs = FIRST_LOOK_MS;
  #isLooking = false;

  constructor(names: readonly string[]) {
    this.#names = new Set(names);
  }

  /** Returns the programs that an earlier check did not find. */
  async findNew(tree: ProcessTree, ageMs: number): Promise<readonly string[]> {
    if (this.#names.size === 0 || ageMs < this.#nextMs || this.#isLooking) return [];
    this.#isLooking = true;
    this.#nextMs = ageMs + LOOK_EVERY_MS;
    try {
      const { own } = tree.processes(await readRecentTable());
      const found = new Set(findNestedPrograms(own, this.#names));
      const fresh = [...found].filter((command) => !this.#told.has(command));
      for (const command of fresh) this.#told.add(command);
      return fresh;
    } finally {
      this.#isLooking = false;
    }
  }
}

const MAX_AGE_MS = 1000;
let recent: { readonly readMs: number; readonly table: Promise<ProcessTable> } | undefined;

/**
 * One reading of all processes serves every tree for a while, so that hundreds of workers do not read it hundreds of
 * times.
 */
function readRecentTable(): Promise<ProcessTable> {
  const nowMs = performance.now();
  if (recent === undefined || nowMs - recent.readMs > MAX_AGE_MS)
    recent = { readMs: nowMs, table: readProcessTableGently() };
  return recent.table;
}
