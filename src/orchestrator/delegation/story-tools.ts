import { formatValues, type StoryVariables } from "../../contract/environment-variables.ts";
import type { RunTools, VariableSettings } from "../ports/run-tools.ts";
import type { Environment } from "../ports/story-origins.ts";

/** The tools as one story has them: with the environment of the shell it came from. */
export function pickStoryTools(tools: RunTools, story: string): RunTools {
  return { ...tools, environment: tools.origins.read(story).environment };
}

/** The variables of a story's commands, before the allow-list is applied. */
export interface CommandVariables extends VariableSettings {
  readonly environment: Environment;
}

/** Reads the settings each time, so that an edited file takes effect with the next command. */
export async function readVariables(
  tools: Pick<RunTools, "origins" | "settings">,
  story: string,
): Promise<CommandVariables> {
  const { env } = await tools.settings();
  const { environment, variables } = tools.origins.read(story);
  return {
    environment,
    pass: [...env.pass, ...variables.pass],
    set: { ...env.set, ...formatValues(variables.set) },
  };
}

/** Remembers the shell that a new story comes from, and what its command gave. Call it when the journal has the story. */
export async function keepOrigin(
  { origins, environment, settings }: RunTools,
  story: string,
  given: StoryVariables = { pass: [], set: {} },
): Promise<void> {
  const { env } = await settings();
  origins.keep(story, { environment, variables: given }, [...env.pass, ...given.pass]);
}
