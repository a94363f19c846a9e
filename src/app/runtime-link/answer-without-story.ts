import { homedir } from "node:os";
import { listNamedAgents } from "../../agents/definitions.ts";
import { loadConfig } from "../../config/load-config.ts";
import type { ResolvedConfig } from "../../config/resolved-config.ts";
import { mcpErrors } from "../../errors/mcp.ts";
import { requireOwnState, getStateDirectory } from "../../project/state-directory.ts";
import type { StandingStory } from "../project/standing-stories.ts";

interface Place {
  readonly projectRoot: string;
  readonly environment: Readonly<Record<string, string | undefined>>;
}

/** Calls that only read. A client may make them without asking its person. */
const readers: ReadonlyMap<
  string,
  (place: Place, fields: Readonly<Record<string, unknown>>) => Promise<object>
> = new Map([
  ["status", showLimits],
  ["list_agents", showAgents],
  ["tasks", showTasks],
  ["list_pending_messages", async () => ({ messages: [] })],
  ["tree", refuse],
  ["log", refuse],
  ["result", refuse],
  ["diff", refuse],
  ["output", refuse],
]);

/**
 * The answer to a reading call of an agent whose story has not begun or has ended. It starts no supervisor and opens no
 * story: whatever is open in this project stays as it is. Undefined for calls that act.
 */
export async function answerWithoutStory(
  place: Place,
  method: string,
  fields: Readonly<Record<string, unknown>>,
): Promise<object | undefined> {
  const reader = readers.get(method);
  if (reader === undefined) return undefined;
  requireOwnState(place.projectRoot);
  return reader(place, fields);
}

async function refuse(place: Place): Promise<never> {
  throw mcpErrors.noOpenStory((await readStanding(place)).map(({ resume_with: command }) => command));
}

/** Loaded only here: most calls need no store. */
async function readStanding({ projectRoot, environment }: Place): Promise<readonly StandingStory[]> {
  const { readStore } = await import("../project/open-project.ts");
  const { listStandingStories } = await import("../project/standing-stories.ts");
  return readStore({ directory: projectRoot, environment }, (reader) =>
    listStandingStories(reader, projectRoot),
  );
}

async function showLimits(place: Place): Promise<object> {
  const { delegation } = (await readConfig(place)).values;
  const standing = await readStanding(place);
  return {
    self: { delegation_id: null, story: null, depth: 0, max_depth: delegation.maxDepth },
    note: "You have no open story; your next delegate opens one.",
    interrupted: standing.length > 0,
    ...(standing.length === 0 ? {} : { interrupted_stories: standing }),
    workers: [],
    unread_messages: 0,
    questions: [],
  };
}

async function showAgents(place: Place): Promise<object> {
  const { agents } = (await readConfig(place)).values;
  return {
    default: agents.default,
    agents: await listNamedAgents(place.projectRoot, agents.default, place),
    workers: [],
  };
}

async function showTasks(place: Place, { id }: Readonly<Record<string, unknown>>): Promise<object> {
  const { tasks } = (await readConfig(place)).values;
  const { openTaskReader } = await import("../../tasks/read-tasks.ts");
  const { describeTasks } = await import("../../tasks/describe-tasks.ts");
  const { projectRoot } = place;
  const reader = openTaskReader({
    projectRoot,
    dir: tasks.dir,
    stateDirectory: getStateDirectory(projectRoot),
  });
  return typeof id === "string"
    ? describeTasks(reader, id)
    : { todos: [], ...describeTasks(reader, undefined) };
}

function readConfig({ projectRoot, environment }: Place): Promise<ResolvedConfig> {
  return loadConfig({ projectRoot, environment, homeDirectory: environment["HOME"] ?? homedir() });
}
