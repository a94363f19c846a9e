import { workspaceErrors } from "../../errors/workspace.ts";

const MAX_ID_LENGTH = 200;

export const SNAPSHOT_REFS = "refs/ambit/snapshot";
/** The prefix for one ref of each story that is merged and can be undone. */
export const UNDO_REFS = "refs/ambit/undo/";

/** The ref that records how far the journal has come. */
export const ANCHOR_REF = "refs/ambit/journal/head";
/** The ref that records which checkpoint of the journal's projections is in use. */
export const CHECKPOINT_REF = "refs/ambit/journal/checkpoint";

/** Ids become branch names and folder names, so few characters are allowed. */
export function checkWorkspaceId(id: string): string {
  if (isWorkspaceId(id)) return id;
  throw workspaceErrors.invalidId(id.slice(0, MAX_ID_LENGTH));
}

export function isWorkspaceId(id: string): boolean {
  const isPlain = /^[A-Za-z0-9][A-Za-z0-9_.-]*$/.test(id) && id.length <= MAX_ID_LENGTH;
  return isPlain && !id.includes("..") && !id.endsWith(".") && !id.endsWith(".lock");
}

export function workerBranchName(id: string): string {
  return `delegation/${id}`;
}

export function workerBranchRef(id: string): string {
  return `refs/heads/${workerBranchName(id)}`;
}

/** The commit the workspace started from. */
export function baseRefName(id: string): string {
  return `refs/ambit/base/${id}`;
}

/** The work that came out of the workspace; it stays after workspace and branch are gone. */
export function workRefName(id: string): string {
  return `refs/ambit/work/${id}`;
}

/** Keeps commits reachable that a worker made and then left. */
export function keptRefName(id: string, commit: string): string {
  return `refs/ambit/kept/${id}/${commit}`;
}

/** The user's uncommitted work at the start of a story. The time comes first so that the refs sort by age. */
export function snapshotRefName(id: string, takenMs: number, commit: string): string {
  return `${SNAPSHOT_REFS}/${id}/${String(takenMs).padStart(15, "0")}-${commit}`;
}

/** The delegation or story that one of our refs belongs to: `refs/heads/delegation/<id>`, `refs/ambit/<kind>/<id>…`. */
export function findRefOwner(ref: string): string | undefined {
  const [, first, second, id] = ref.split("/");
  const isOurs = first === "ambit" || (first === "heads" && second === "delegation");
  return isOurs && id !== "" ? id : undefined;
}

/** The user's branch before and after `ambit merge`. */
export function undoRefName(story: string): string {
  return `${UNDO_REFS}${checkWorkspaceId(story)}`;
}
