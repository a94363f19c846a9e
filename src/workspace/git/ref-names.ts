import { workspaceErrors } from "../../errors/workspace.ts";

const LONGEST_ID = 200;

export const SNAPSHOT_REFS = "refs/ambit/snapshot";

/** Ids become branch names and folder names, so few characters are allowed. */
export function checkWorkspaceId(id: string): string {
  if (isWorkspaceId(id)) return id;
  throw workspaceErrors.invalidId(id.slice(0, LONGEST_ID));
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

/** The commit the workspace started from. */
export function baseRefOf(id: string): string {
  return `refs/ambit/base/${id}`;
}

/** The work that came out of the workspace; it stays after workspace and branch are gone. */
export function workRefOf(id: string): string {
  return `refs/ambit/work/${id}`;
}

/** Keeps commits reachable that a worker made and then left. */
export function keptRefOf(id: string, commit: string): string {
  return `refs/ambit/kept/${id}/${commit}`;
}

/** The user's uncommitted work at the start of a story. The time comes first so that the refs sort by age. */
export function snapshotRefOf(id: string, takenMs: number, commit: string): string {
  return `${SNAPSHOT_REFS}/${id}/${String(takenMs).padStart(15, "0")}-${commit}`;
}

/** The delegation or story that one of our refs belongs to: `refs/heads/delegation/<id>`, `refs/ambit/<kind>/<id>…`. */
export function idOfRef(ref: string): string | undefined {
  const [, first, second, id] = ref.split("/");
  const isOurs = first === "ambit" || (first === "heads" && second === "delegation");
  return isOurs && id !== "" ? id : undefined;
}

/** The user's branch before and after `ambit merge`. */
export function undoRefOf(story: string): string {
  return `refs/ambit/undo/${checkWorkspaceId(story)}`;
}
