import { DelegationError } from "../../base/delegation-error.ts";
import type { Delegation } from "../../journal/store.ts";
import { storyRefOf } from "../../workspace/branch-names.ts";
import { readBranch } from "../../workspace/look-up.ts";
import type { Repository } from "../../workspace/repository.ts";
import { readDiff } from "../../workspace/show-diff.ts";
import type { Diff } from "../wire.ts";

const MOST_BYTES = 1024 * 1024;

/** What the work changed: a story's proven work, or what was kept of one delegation. */
export async function readWorkDiff(repository: Repository, delegation: Delegation): Promise<Diff> {
  const { from, to } = await findEnds(repository, delegation);
  if (from === null || to === null) throw nothingKept(delegation);
  const diff = await readDiff(repository, { from, to, kind: "patch", maxBytes: MOST_BYTES });
  return {
    from,
    to,
    files: diff.files.map(({ path, oldPath, kind, added, removed }) => ({
      path,
      oldPath: oldPath ?? null,
      kind,
      added,
      removed,
    })),
    added: diff.added,
    removed: diff.removed,
    patch: diff.text,
    isCut: diff.isCut,
  };
}

interface Ends {
  readonly from: string | null;
  readonly to: string | null;
}

/** A merge shows a worker's own work alone: on its branch others' work may stand too, which it had to take in. */
async function findEnds(repository: Repository, delegation: Delegation): Promise<Ends> {
  const { base, tip, id, story, candidate } = delegation;
  if (id === story) return { from: base, to: (await readBranch(repository, storyRefOf(story))) ?? tip };
  const isMerged = candidate !== null && candidate.onto !== null && isKept.has(delegation.state);
  return isMerged ? { from: candidate.onto, to: candidate.commit } : { from: base, to: tip };
}

const isKept: ReadonlySet<string> = new Set(["verified", "merged", "closed"]);

function nothingKept({ id, state }: Delegation): DelegationError {
  return new DelegationError({
    code: "WORKSPACE_NOT_FOUND",
    message: `Nothing has been kept of ${id} yet; it is ${state}.`,
    recommendation: "Look at its log; its work is kept when it ends.",
    recoverable: true,
  });
}
