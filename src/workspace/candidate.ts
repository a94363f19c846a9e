import { randomBase36 } from "../base/ids.ts";
import { canBePooled } from "./git/can-be-pooled.ts";
import { type ChangedFile, readChanges } from "./git/read-changes.ts";
import { checkWorkspaceId } from "./git/ref-names.ts";
import type { SlotOptions } from "./prepare/slot-options.ts";
import { wasLeftAlone } from "./prepare/tree-trust.ts";
import type { SlotRecord } from "./records/record.ts";
import { cleanSlot } from "./slots/clean-slot.ts";
import { discardSlot, prepareSlot } from "./slots/prepare-slot.ts";
import { environmentOf } from "./slots/slot-environment.ts";
import { slotOptions, type WorkspaceSettings } from "./worktree.ts";

export interface CandidateRequest {
  /** The delegation whose work is to be proven. */
  readonly id: string;
  readonly commit: string;
}

/** A commit's files, for checks: on no branch, with dependencies, and with nothing that a worker left anywhere. */
export interface Candidate {
  readonly path: string;
  readonly commit: string;
  readonly environment: Readonly<Record<string, string>>;
  /** What the commit changes against another one, judged on their trees. */
  readonly changedFiles: (base: string) => Promise<readonly ChangedFile[]>;
  /** False where others wrote to files that are shown there; then what was found in it is not about the commit. */
  readonly wasLeftAlone: () => Promise<boolean>;
  /** To be called when nothing runs there any more; a second call does nothing. */
  readonly release: () => Promise<void>;
}

/**
 * Checks a commit out in a place of its own, made from nothing. No branch, no ref and no claim names it: should we be
 * killed, `listOrphans` finds it as half made by a process that is gone, and `removeOrphan` puts it away.
 */
export async function checkOutCandidate(
  settings: WorkspaceSettings,
  request: CandidateRequest,
): Promise<Candidate> {
  const options = slotOptions(settings);
  const record = await makeFresh(options, request);
  return describe(options, record, async () => void (await discardSlot(options, record)));
}

/**
 * The same with places that are used again: moving one to another commit costs what differs, not a whole checkout. All
 * that checks left in it is removed first, and one that cannot be proven clean is thrown away.
 */
export class CandidateReserve {
  readonly #options: SlotOptions;
  readonly #size: number;
  readonly #idle: SlotRecord[] = [];
  #isClosed = false;

  /** `size`: how many places may wait; each costs one full tree on disk. */
  constructor(settings: WorkspaceSettings, size = 1) {
    this.#options = slotOptions(settings);
    this.#size = size;
  }

  async checkOut(request: CandidateRequest): Promise<Candidate> {
    const record = (await this.#reuse(request.commit)) ?? (await makeFresh(this.#options, request));
    return describe(this.#options, record, () => this.#takeBack(record));
  }

  /** Throws away what waits. */
  async close(): Promise<void> {
    this.#isClosed = true;
    for (const record of this.#idle.splice(0)) await discardSlot(this.#options, record);
  }

  async #reuse(commit: string): Promise<SlotRecord | undefined> {
    const used = this.#idle.pop();
    if (used === undefined) return undefined;
    try {
      if (await canBePooled(this.#options.repository, commit))
        return await cleanSlot(this.#options, used, commit);
    } catch {
      // Whatever the reason, it cannot be trusted; another one is made.
    }
    await discardSlot(this.#options, used);
    return undefined;
  }

  async #takeBack(record: SlotRecord): Promise<void> {
    if (!this.#isClosed && this.#idle.length < this.#size) this.#idle.push(record);
    else await discardSlot(this.#options, record);
  }
}

function makeFresh(options: SlotOptions, { id, commit }: CandidateRequest): Promise<SlotRecord> {
  const name = `candidate-${checkWorkspaceId(id)}-${randomBase36(8)}`;
  return prepareSlot(options, { name, commit, pooled: false });
}

function describe(options: SlotOptions, record: SlotRecord, putBack: () => Promise<void>): Candidate {
  const { path, commit } = record;
  let isReleased = false;
  return {
    path,
    commit,
    environment: environmentOf(record),
    changedFiles: (base) => readChanges(options.repository, base, commit),
    wasLeftAlone: () => wasLeftAlone(record),
    release: async () => {
      if (isReleased) return;
      isReleased = true;
      await putBack();
    },
  };
}
