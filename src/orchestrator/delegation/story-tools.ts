import { formatValues, type StoryVariables } from "../../contract/environment-variables.ts";
import type { RunTools, VariableSettings } from "../ports/run-tools.ts";
import type { Environment, StoryCaller } from "../ports/story-origins.ts";

/**
 * The tools of one story: with the environment, the settings, the agents and the checkout of the command that opened it.
 * All work for a story uses them.
 */
export async function pickStoryTools(tools: RunTools, story: string): Promise<RunTools> {
  return pickCallerTools(tools, tools.origins.read(story));
}

/** The same for a story that is being opened. */
export async function pickCallerTools(
  tools: RunTools,
  { environment = tools.environment, checkout = tools.workflow.projectRoot }: StoryCaller,
): Promise<RunTools> {
  const { git = tools.git, ...own } = await tools.atOrigin({ checkout, environment });
  return { ...tools, ...own, git, environment };
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

/** The same for an agent, which gets variables that checks do not. */
export async function readAgentVariables(
  tools: Pick<RunTools, "origins" | "settings">,
  story: string,
): Promise<CommandVariables> {
  const { agentVariables } = await tools.settings();
  const variables = await readVariables(tools, story);
  return { ...variables, pass: [...variables.pass, ...agentVariables] };
}

/** Remembers the shell of a new story, and the variables that its command gave. Called when the journal has the story. */
export async function keepOrigin(
  { origins, environment, settings, workflow }: RunTools,
  story: string,
  given: StoryVariables = { pass: [], set: {} },
): Promise<void> {
  const { env } = await settings();
  const checkout = workflow.projectRoot;
  origins.keep(story, { environment, checkout, variables: given }, [...env.pass, ...given.pass]);
}
