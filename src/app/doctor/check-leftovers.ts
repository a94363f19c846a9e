import { describeOrphan, sortLeftovers } from "../../orchestrator/find-leftovers.ts";
import type { Orphan } from "../../workspace/orphans.ts";
import { listWorkBelow } from "../../workspace/find-workspace.ts";
import type { WorkspaceSettings } from "../../workspace/worktree.ts";
import type { Finding } from "./finding.ts";

/** What no delegation of the journal accounts for, and how to remove it. After a repair nothing of it is repairable. */
export async function checkLeftovers(
  workspaces: WorkspaceSettings,
  orphans: readonly Orphan[],
  isFixed: boolean,
): Promise<readonly Finding[]> {
  const name = "leftovers";
  if (orphans.length === 0) return [{ name, ok: true, detail: "none" }];
  const { removed, left } = isFixed
    ? { removed: [], left: orphans }
    : await sortLeftovers(workspaces, orphans);
  const refs = left.flatMap((orphan) => ("ref" in orphan ? [orphan.ref] : []));
  const others = left.filter((orphan) => !("ref" in orphan));
  return [
    ...listed(removed, { name, ok: false, next: "Remove them: ambit doctor --fix" }),
    ...listed(others, { name, ok: false, next: LOOK }),
    ...listed(
      left.filter((orphan) => "ref" in orphan),
      { name, ok: true, isAdvice: true, next: adviseOnRefs(refs) },
    ),
  ];
}

const LOOK = "They may hold work. Look at each, then remove it yourself.";

/** A repository that was deleted and made again has no state, but the workers of the deleted one may have left files. */
export function checkEarlierWork(trees: string): readonly Finding[] {
  const folders = listWorkBelow(trees);
  if (folders.length === 0) return [];
  const detail = `files of an earlier repository at this place: ${folders.join("; ")}`;
  return [{ name: "leftovers", ok: false, detail, next: LOOK }];
}

function listed(orphans: readonly Orphan[], finding: Omit<Finding, "detail">): readonly Finding[] {
  return orphans.length === 0 ? [] : [{ ...finding, detail: orphans.map(describeOrphan).join("; ") }];
}

function adviseOnRefs([first = ""]: readonly string[]): string {
  return `They hold work of stories that the journal does not know. Look at each (git log ${first}), then remove it: git update-ref -d ${first}`;
}
