import { DelegationError, readErrorMessage } from "../../base/delegation-error.ts";
import { isWriteTrouble } from "../../base/file-trouble.ts";
import { findStorySetting } from "../../contract/story-setting.ts";
import type { Delegation } from "../../journal/store.ts";
import { addNote, recordEvent } from "../delegation/record.ts";
import { KeyedLock } from "../live/keyed-lock.ts";
import type { RunTools } from "../ports/run-tools.ts";
import type { WorkPlace } from "../ports/work-place.ts";

/** Frees the workspaces of delegations that have ended, while their managers continue. */
export class FreedPlaces {
  readonly #lock = new KeyedLock();
  /** The timers of delegations that wait for room on the disk. */
  readonly #timers = new Map<string, NodeJS.Timeout>();

  /** A story ends only after all workspaces are released; a worker's end does not wait for that. */
  async freeInBackground(tools: RunTools, delegation: Delegation): Promise<void> {
    // If not even a note can be written, on a full disk for example, the next runtime finds the workspace.
    const freed = this.#lock
      .runInOrder(delegation.id, () => this.#free(tools, delegation))
      .catch(() => undefined);
    if (delegation.parent !== null) return;
    await freed;
    await this.whenIdle();
    // Refs that remain do no harm.
    await foldWorkerRefs(tools, delegation).catch(() => undefined);
  }

  /** Includes delegations that wait for room: a runtime that leaves would leave their workspaces behind. */
  listBusy(): readonly string[] {
    return [...this.#lock.listBusyKeys(), ...this.#timers.keys()];
  }

  whenIdle(): Promise<void> {
    return this.#lock.whenIdle();
  }

  /** The next runtime frees whatever could not be freed. */
  clearTimers(): void {
    for (const timer of this.#timers.values()) clearTimeout(timer);
    this.#timers.clear();
  }

  /** If a workspace could not be freed for lack of room, no caller waits for it; it is tried again. */
  async #free(tools: RunTools, delegation: Delegation, isFirst = true): Promise<void> {
    if (await freeClosed(tools, delegation, isFirst)) return;
    const timer = setTimeout(() => {
      this.#timers.delete(delegation.id);
      void this.#lock
        .runInOrder(delegation.id, () => this.#free(tools, delegation, false))
        .catch(() => undefined);
    }, RETRY_MS).unref();
    this.#timers.set(delegation.id, timer);
  }
}

const RETRY_MS = 2000;

/** Two refs for each former worker would slow git down. Other machines still read theirs from the hub. */
async function foldWorkerRefs(tools: RunTools, { story, workers }: Delegation): Promise<void> {
  if (workers === 0 || tools.elsewhere !== undefined) return;
  const tree = await tools.store.storyTree(story);
  const ended = tree.filter((one) => one.parent !== null && one.state === "closed" && one.workspace === null);
  await tools.git.foldRefs(
    story,
    ended.map(({ id }) => id),
  );
}

/** A workspace that cannot be freed becomes a note; `ambit doctor` finds it. False if it may be freed later. */
async function freeClosed(tools: RunTools, delegation: Delegation, isFirst: boolean): Promise<boolean> {
  if (await mustKeep(tools, delegation.story)) return true;
  try {
    await freePlace(tools, delegation.id);
    return true;
  } catch (error) {
    const isForRoom = isWriteTrouble(error) || tools.git.isDiskFull();
    const text = `Its workspace could not be freed: ${readErrorMessage(error)}`;
    if (isFirst) await addNote(tools, { ...delegation, attempt: 0 }, text).catch(() => undefined);
    return !isForRoom;
  }
}

/**
 * The settings that its story began with count; its shell may be forgotten by now. A setting that is absent was off.
 */
async function mustKeep({ store, settings }: RunTools, id: string): Promise<boolean> {
  const own = (await store.story(id))?.settings ?? null;
  if (own === null) return (await settings()).keepWorkspaces;
  return findStorySetting(own, "delegation.logging.saveWorktrees")?.value === true;
}

/** Deletes only content that is kept elsewhere; if that cannot be proven, the workspace is left to `ambit doctor`. */
export async function freePlace(tools: RunTools, id: string): Promise<void> {
  const delegation = await tools.store.delegation(id);
  if (delegation?.state !== "closed" || delegation.workspace === null) return;
  const place = await findPlaceIfPresent(tools, delegation);
  const isMerged = delegation.outcome === "completed";
  if (place !== undefined && !(await place.release(!isMerged && delegation.filesChanged.length > 0))) return;
  const data = { path: delegation.workspace.path, tip: delegation.tip };
  await recordEvent(tools, { ...delegation, attempt: 0 }, { type: "workspace-removed", data });
}

/** After a crash between freeing and recording it, nothing is left to free. */
async function findPlaceIfPresent(tools: RunTools, delegation: Delegation): Promise<WorkPlace | undefined> {
  try {
    return await tools.git.findPlace(delegation);
  } catch (error) {
    if (error instanceof DelegationError && error.code === "WORKSPACE_GONE") return undefined;
    throw error;
  }
}
