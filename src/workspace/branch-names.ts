import { checkWorkspaceId } from "./git/ref-names.ts";

export { isWorkspaceId, undoRefName, workRefName } from "./git/ref-names.ts";

/** The branch that a story's work is merged into, as the user sees it. */
export function storyBranchName(story: string): string {
  return `ambit/${checkWorkspaceId(story)}`;
}

export function storyRefName(story: string): string {
  return `refs/heads/${storyBranchName(story)}`;
}
