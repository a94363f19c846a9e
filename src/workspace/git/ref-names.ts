import { DelegationError } from "../../base/delegation-error.ts";

const LONGEST_ID = 200;

export const SNAPSHOT_REFS = "refs/ambit/snapshot";

/** Ids become branch names and folder names, so their alphabet is small. */
export function checkWorkspaceId(id: string): string {
  if (isWorkspaceId(id)) return id;
  throw new DelegationError({
    code: "INVALID_WORKSPACE_ID",
    message: `"${id.slice(0, LONGEST_ID)}" cannot name a workspace`,
    recommendation: "Use letters, digits, '-', '_' and '.', starting with a letter or digit.",
  });
}

export function isWorkspaceId(id: string): boolean {
  const isPlain = /^[A-Za-z0-9][A-Za-z0-9_.-]*$/.test(id) && id.length <= LONGEST_ID;
  return isPlain && !id.includes("..") && !id.endsWith(".") && !id.endsWith(".lock");
}

export function branchOf(id: string): string {
  return `delegation/${id}`;
}

export function branchRefOf(id: string): string {
  return `refs/heads/${branchOf(id)}`;
}

/** What the workspace started from. */
export function baseRefOf(id: string): string {
  return `refs/ambit/base/${id}`;
}

/** What came out of it; kept after workspace and branch are gone. */
export function workRefOf(id: string): string {
  return `refs/ambit/work/${id}`;
}

/** Commits a worker made and then left: still reachable from here. */
export function keptRefOf(id: string, commit: string): string {
  return `refs/ambit/kept/${id}/${commit}`;
}

/** The user's uncommitted work as a story saw it. The time comes first so that the refs sort by age. */
export function snapshotRefOf(id: string, takenMs: number, commit: string): string {
  return `${SNAPSHOT_REFS}/${id}/${String(takenMs).padStart(15, "0")}-${commit}`;
}

/** The delegation or story a ref of ours belongs to: `refs/heads/delegation/<id>`, `refs/ambit/<kind>/<id>…`. */
export function idOfRef(ref: string): string | undefined {
  const [, first, second, id] = ref.split("/");
  const isOurs = first === "ambit" || (first === "heads" && second === "delegation");
  return isOurs && id !== "" ? id : undefined;
}

/** What the user's branch was before `ambit merge`, and what it became. */
export function undoRefOf(story: string): string {
  return `refs/ambit/undo/${checkWorkspaceId(story)}`;
}
