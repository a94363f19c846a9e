import { randomBase36 } from "../base/ids.ts";
import { touchFiles } from "./files/touch-files.ts";
import { canPoolCommit } from "./git/can-pool-commit.ts";
import { type ChangedFile, readChangedFiles } from "./git/read-changes.ts";
import { checkWorkspaceId } from "./git/ref-names.ts";
import type { SlotOptions } from "./prepare/slot-options.ts";
import { wasLeftAlone } from "./prepare/tree-trust.ts";
import type { SlotRecord } from "./records/record.ts";
import { refreshIndex } from "./slots/check-out.ts";
import { cleanSlot } from "./slots/clean-slot.ts";
import { discardSlot, prepareSlot } from "./slots/prepare-slot.ts";
import { buildSlotEnvironment } from "./slots/slot-environment.ts";
import { buildSlotOptions, type WorkspaceSettings } from "./worktree.ts";

export interface CandidateRequest {
  /** The delegation whose work is being checked. */
  readonly id: string;
  readonly commit: string;
  /** The files that the work changed; they are newer than everything that was built from them. */
  readonly changed?: readonly string[];
}

/** The files of a commit, for checks: on no branch, with dependencies, and without anything a worker left behind. */
export interface Candidate {
  readonly path: string;
  readonly commit: string;
  readonly environment: Readonly<Record<string, string>>;
  /** Lists the changes of the commit against another one, read from their trees. */
  readonly changedFiles: (base: string) => Promise<readonly ChangedFile[]>;
  /** False if another program wrote to the shared files; findings then say nothing about the commit. */
  readonly wasLeftAlone: () => Promise<boolean>;
  /** Call it when nothing runs in the checkout any more. A second call does nothing. */
  readonly release: () => Promise<void>;
}

/**
 * Checks commits out. No branch, ref or claim names such a checkout: if we are killed, `listOrphans` reports it as
 * half-made by a process that is gone, and `removeOrphan` removes it.
 *
 * Checkouts are reused: moving one to another commit costs only the difference, not a whole checkout. Files that checks
 * left behind are removed first, and a checkout that cannot be proven clean is discarded.
 */
export class CandidateReserve {
  readonly #options: SlotOptions;
  readonly #size: number;
  readonly #idle: SlotRecord[] = [];
  #isClosed = false;

  /** `size` is how many checkouts may wait; each costs one full tree on disk. With 0, each is discarded when released. */
  constructor(settings: WorkspaceSettings, size = 1) {
    this.#options = buildCandidateOptions(settings);
    this.#size = size;
  }

  /** A waiting checkout that was prepared by other settings is prepared again. */
  async checkOut(request: CandidateRequest, settings?: WorkspaceSettings): Promise<Candidate> {
    const options = settings === undefined ? this.#options : buildCandidateOptions(settings);
    const record =
      (await this.#reuseIdleSlot(options, request.commit)) ?? (await createFreshSlot(options, request));
    await renewFiles(options, record, request.changed ?? []);
    return describeCandidate(options, record, () => this.#takeBackSlot(record));
  }

  /** Discards the waiting checkouts. */
  async close(): Promise<void> {
    this.#isClosed = true;
    for (const record of this.#idle.splice(0)) await discardSlot(this.#options, record);
  }

  async #reuseIdleSlot(options: SlotOptions, commit: string): Promise<SlotRecord | undefined> {
    const used = this.#idle.pop();
    if (used === undefined) return undefined;
    try {
      if (await canPoolCommit(options.repository, commit)) return await cleanSlot(options, used, commit);
    } catch {
      // Whatever the reason, this checkout cannot be trusted, so another one is created.
    }
    await discardSlot(options, used);
    return undefined;
  }

  async #takeBackSlot(record: SlotRecord): Promise<void> {
    if (!this.#isClosed && this.#idle.length < this.#size) this.#idle.push(record);
    else await discardSlot(this.#options, record);
  }
}

function buildCandidateOptions(settings: WorkspaceSettings): SlotOptions {
  return { ...buildSlotOptions(settings), isThrowaway: true };
}

/** Gives changed files later times, and refreshes the index so that git does not take them for changed. */
async function renewFiles(
  options: SlotOptions,
  record: SlotRecord,
  changed: readonly string[],
): Promise<void> {
  if (changed.length === 0) return;
  try {
    touchFiles(record.path, changed);
    await refreshIndex(options, record);
  } catch (error) {
    await discardSlot(options, record);
    throw error;
  }
}

function createFreshSlot(options: SlotOptions, { id, commit }: CandidateRequest): Promise<SlotRecord> {
  const name = `candidate-${checkWorkspaceId(id)}-${randomBase36(8)}`;
  return prepareSlot(options, { name, commit, pooled: false });
}

function describeCandidate(
  options: SlotOptions,
  record: SlotRecord,
  putBack: () => Promise<void>,
): Candidate {
  const { path, commit } = record;
  let isReleased = false;
  return {
    path,
    commit,
    environment: buildSlotEnvironment(record),
    changedFiles: (base) => readChangedFiles(options.repository, base, commit),
    wasLeftAlone: () => wasLeftAlone(options, record),
    release: async () => {
      if (isReleased) return;
      isReleased = true;
      await putBack();
    },
  };
}
