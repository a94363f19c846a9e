import { checkWorkspaceId } from "./git/ref-names.ts";

export { workRefOf } from "./git/ref-names.ts";

/** The branch that a story's work is merged into, as the user sees it. */
export function storyBranchOf(story: string): string {
  return `ambit/${checkWorkspaceId(story)}`;
}

export function storyRefOf(story: string): string {
  return `refs/heads/${storyBranchOf(story)}`;
}
