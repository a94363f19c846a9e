import { DelegationError, readErrorMessage } from "../../base/delegation-error.ts";
import { findStorySetting } from "../../contract/story-setting.ts";
import type { Delegation } from "../../journal/store.ts";
import { addNote, recordEvent } from "../delegation/record.ts";
import { KeyedLock } from "../live/keyed-lock.ts";
import type { RunTools } from "../ports/run-tools.ts";
import type { WorkPlace } from "../ports/work-place.ts";

/** Frees the workspaces of delegations that have ended, while their managers continue. */
export class FreedPlaces {
  readonly #lock = new KeyedLock();

  /** A story ends only after all workspaces are released; a worker's end does not wait for that. */
  async freeInBackground(tools: RunTools, delegation: Delegation): Promise<void> {
    // If not even a note can be written, on a full disk for example, the next runtime finds the workspace.
    const freed = this.#lock
      .runInOrder(delegation.id, () => freeClosed(tools, delegation))
      .catch(() => undefined);
    if (delegation.parent !== null) return;
    await freed;
    await this.whenIdle();
  }

  listBusy(): readonly string[] {
    return this.#lock.listBusyKeys();
  }

  whenIdle(): Promise<void> {
    return this.#lock.whenIdle();
  }
}

/** A workspace that cannot be freed becomes a note; `ambit doctor` finds it. */
async function freeClosed(tools: RunTools, delegation: Delegation): Promise<void> {
  if (await mustKeep(tools, delegation.story)) return;
  try {
    await freePlace(tools, delegation.id);
  } catch (error) {
    const text = `Its workspace could not be freed: ${readErrorMessage(error)}`;
    await addNote(tools, { ...delegation, attempt: 0 }, text);
  }
}

/** What its story began with counts; its shell may be forgotten by now. */
async function mustKeep({ store, settings }: RunTools, id: string): Promise<boolean> {
  const story = await store.story(id);
  const own = findStorySetting(story?.settings, "delegation.logging.saveWorktrees")?.value;
  return typeof own === "boolean" ? own : (await settings()).keepWorkspaces;
}

/** Deletes only what is kept elsewhere; when that cannot be proven the workspace is left to `ambit doctor`. */
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
