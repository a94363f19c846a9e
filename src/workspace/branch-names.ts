import { checkWorkspaceId } from "./names.ts";

/** The branch a story's work is merged into, as the user sees it. */
export function storyBranchOf(story: string): string {
  return `ambit/${checkWorkspaceId(story)}`;
}

export function storyRefOf(story: string): string {
  return `refs/heads/${storyBranchOf(story)}`;
}

/** What the user's branch was before `ambit merge`, and what it became. */
export function undoRefOf(story: string): string {
  return `refs/ambit/undo/${checkWorkspaceId(story)}`;
}
