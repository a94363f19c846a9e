import { homedir } from "node:os";
import { listNamedAgents } from "../../agents/definitions.ts";
import { loadConfig } from "../../config/load-config.ts";
import type { ResolvedConfig } from "../../config/resolved-config.ts";
import { mcpErrors } from "../../errors/mcp.ts";
import { requireOwnState, getStateDirectory } from "../../project/state-directory.ts";

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

async function refuse(): Promise<never> {
  throw mcpErrors.noOpenStory();
}

async function showLimits(place: Place): Promise<object> {
  const { delegation } = (await readConfig(place)).values;
  return {
    self: { delegation_id: null, story: null, depth: 0, max_depth: delegation.maxDepth },
    note: "You have no open story; your next delegate opens one.",
    workers: [],
    unread_messages: 0,
    questions: [],
  };
}

async function showAgents(place: Place): Promise<object> {
  const { agents } = (await readConfig(place)).values;
  return {
    default: agents.default,
    agents: await listNamedAgents(place.projectRoot, agents.default),
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
