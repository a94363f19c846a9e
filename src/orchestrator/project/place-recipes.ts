import { createHash } from "node:crypto";
import { join } from "node:path";
import { readRegularText } from "../../base/files.ts";
import { buildEnvironment } from "../../containment/build-environment.ts";
import type { WorkspaceSettings } from "../../workspace/worktree.ts";
import { readVariables, type CommandVariables } from "../delegation/story-tools.ts";
import type { StoryOrigins } from "../ports/story-origins.ts";
import type { Checkouts } from "./checkouts.ts";
import { workspaceSetUp } from "./workspace-set-up.ts";

/** Tells how the workspaces of one story are made; without a story, how those of the next one probably are. */
export type FindRecipe = (story?: string) => Promise<WorkspaceSettings>;

/** Reads the settings for each workspace, so that an edited file takes effect without a restart. */
export function createRecipes(
  stateDirectory: string,
  { origins, checkouts }: { readonly origins: StoryOrigins; readonly checkouts: Checkouts },
): FindRecipe {
  return async (story = "") => {
    const { checkout, environment } = origins.read(story);
    const { repository, forShell } = await checkouts.open(checkout);
    const { settings } = forShell(story === "" ? undefined : environment);
    const { include, setup, ownPath, services } = await settings();
    return addRecipe(
      { repository, stateDirectory, ownPath, include, services },
      setup,
      await readVariables({ origins, settings }, story),
    );
  };
}

/** The settings with `workspace.setup`, and with a recipe that changes when the outcome of preparing may. */
export function addRecipe(
  workspaces: WorkspaceSettings,
  setup: string | null,
  variables: CommandVariables,
): WorkspaceSettings {
  const { repository, include = [] } = workspaces;
  const list = [readRegularText(join(repository.workTree, ".worktreeinclude")) ?? null, ...include];
  if (setup === null) return { ...workspaces, recipe: hashRecipe(list) };
  const { environment, pass, set } = variables;
  // A different terminal does not change the result.
  const { TERM: _terminal, ...seen } = buildEnvironment({ base: environment, allow: pass, set });
  const recipe = hashRecipe([...list, setup, ...Object.entries(seen).flat()]);
  return { ...workspaces, recipe, setUp: workspaceSetUp(setup, { ...workspaces, variables }) };
}

function hashRecipe(parts: readonly (string | null)[]): string {
  return createHash("sha256").update(JSON.stringify(parts)).digest("hex").slice(0, 32);
}
