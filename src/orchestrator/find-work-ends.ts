import type { Delegation } from "../journal/store.ts";
import { isLedWithoutAgent } from "./delegation/kind.ts";
import { storyRefName } from "../workspace/branch-names.ts";
import { readBranchCommit } from "../workspace/look-up.ts";
import { mergeTips } from "../workspace/merge.ts";
import type { WorkspaceSettings } from "../workspace/worktree.ts";

export type Against = "base" | "story";

export interface FoundWork {
  readonly delegation: Delegation;
  /** The root of its story; the delegation itself for a story. */
  readonly root: Delegation;
}

export type WorkEnds =
  | {
      readonly status: "found";
      readonly from: string;
      /** A commit, or a tree that no commit has. */
      readonly to: string;
      readonly warnings: readonly string[];
    }
  | { readonly status: "nothing-kept" };

const nothingKept: WorkEnds = { status: "nothing-kept" };

/** The two commits whose difference is the work: the one answer that every surface gives. */
export async function findWorkEnds(
  workspaces: WorkspaceSettings,
  { delegation, root, against }: FoundWork & { readonly against: Against },
): Promise<WorkEnds> {
  const story = await readBranchCommit(workspaces.repository, storyRefName(root.id));
  if (against === "story") return compareWithStory(workspaces, { delegation, root, story });
  const { base, tip, id, outcome } = delegation;
  if (base === null) return nothingKept;
  if (delegation.parent !== null || story === null) return findWorkerEnds(delegation);
  const hasMore = outcome !== "completed" && tip !== null && tip !== base;
  const hint = `Only proven work is shown. The rest is on delegation/${id}: ambit diff ${id} --against story`;
  const to = isLedWithoutAgent(root) ? await mergeIntoFiles(workspaces, base, story) : story;
  return { status: "found", from: base, to, warnings: hasMore ? [hint] : [] };
}

const provenStates: ReadonlySet<string> = new Set(["verified", "merged", "closed"]);

/**
 * A proven candidate shows the worker's own work alone; its branch also has the work that it had to take in from others.
 */
function findWorkerEnds({ base, tip, candidate, state }: Delegation): WorkEnds {
  const proven = candidate !== null && candidate.onto !== null && provenStates.has(state);
  if (proven) return { status: "found", from: candidate.onto, to: candidate.commit, warnings: [] };
  return base === null || tip === null ? nothingKept : { status: "found", from: base, to: tip, warnings: [] };
}

/** The person continued working meanwhile, which must not look as if the story had reverted it. */
async function mergeIntoFiles(workspaces: WorkspaceSettings, base: string, story: string): Promise<string> {
  const merged = await mergeTips(workspaces, { ours: base, theirs: story });
  return merged.status === "clean" ? merged.tree : story;
}

/** The changes that merging would bring: a plain comparison would show other work as removed. */
async function compareWithStory(
  workspaces: WorkspaceSettings,
  { delegation, root, story }: FoundWork & { readonly story: string | null },
): Promise<WorkEnds> {
  const ours = story ?? root.base;
  const theirs = delegation.tip;
  if (ours === null || theirs === null) return nothingKept;
  const merged = await mergeTips(workspaces, { ours, theirs });
  const warnings =
    merged.status === "conflict"
      ? [`It conflicts with the story in ${merged.files.join(", ")}; markers show where.`]
      : [];
  return { status: "found", from: ours, to: merged.tree, warnings };
}
