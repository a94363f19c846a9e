import { captureTree } from "./capture/capture-tree.ts";
import type { ProjectContext } from "./git/repository.ts";
import { isMountPoint } from "./prepare/overlay.ts";
import { findClaimedSlot, ownIndexPath } from "./records/record.ts";
import { withSlotGit } from "./slots/check-out.ts";

/** Larger files are left out: a look is repeated while the worker writes. */
const MAX_FILE_BYTES = 2 * 1024 * 1024;

export interface LiveWork {
  /** The commit it began from. */
  readonly from: string;
  /** Its files as they are now: a tree, or that commit if nothing differs. */
  readonly to: string;
}

/**
 * What a worker has changed so far, read from its checkout while it works. Nothing is kept and no ref moves. Undefined
 * if it has no checkout that this process sees.
 */
export async function captureLiveWork(context: ProjectContext, id: string): Promise<LiveWork | undefined> {
  const slot = findClaimedSlot(context.stateDirectory, id);
  if (slot === undefined || !slot.record.isReady) return undefined;
  const { record, claim } = slot;
  // An unmounted layer would look as if the worker had deleted everything.
  if (!record.layers.every(({ target }) => isMountPoint(target))) return undefined;
  const indexFile = ownIndexPath(context.stateDirectory, record.name);
  const { tree } = await withSlotGit(context, { ...record, commit: claim.base }, (git) =>
    captureTree({
      git,
      indexFile,
      tracked: "head",
      filters: [],
      nested: "leave-out",
      maxFileBytes: MAX_FILE_BYTES,
    }),
  );
  return { from: claim.base, to: tree ?? claim.base };
}
