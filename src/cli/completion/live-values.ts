import { readFileSync, statSync } from "node:fs";
import { join } from "node:path";
import { findProjectRoot } from "../../config/find-project.ts";
import type { StoreReader } from "../../journal/store.ts";
import type { Environment } from "../environment.ts";
import type { Candidate } from "./candidate.ts";
import type { ValueKind } from "./value-kinds.ts";

export interface Place {
  readonly directory: string;
  readonly environment: Environment;
  /** The word so far: lists that could be long are asked for what begins with it. */
  readonly prefix: string;
}

type Lister = (place: Place) => Promise<readonly Candidate[]>;

/** What there is right now. Each loads only what it needs, because somebody waits with a finger on the key. */
export const listers: Readonly<Partial<Record<ValueKind, Lister>>> = {
  stories: (place) => fromStore(place, listStories),
  work: (place) => fromStore(place, listWork),
  questions: (place) => fromStore(place, listQuestions),
  tasks: listTasks,
  agents: listAgents,
  templates: async ({ directory }) => {
    const { listTemplateNames: templateNames } = await import("../../templates/read-templates.ts");
    return templateNames(findProjectRoot(directory)).map((value) => ({ value, about: "" }));
  },
  "config keys": async () => {
    const { configKeys } = await import("../../contract/config-keys.ts");
    return configKeys.map(({ key, description }) => ({ value: key, about: description }));
  },
  symptoms: async () => {
    const { symptoms } = await import("../../app/symptoms.ts");
    return symptoms.map(({ name, title }) => ({ value: name, about: title }));
  },
};

async function fromStore(
  place: Place,
  list: (reader: StoreReader, prefix: string) => Promise<readonly Candidate[]>,
): Promise<readonly Candidate[]> {
  const root = findProjectRoot(place.directory);
  if (root === undefined) return [];
  const { storeFile } = await import("../../journal/store-file.ts");
  const { openReader } = await import("../../journal/open-reader.ts");
  const reader = openReader(storeFile(root));
  if (reader === undefined) return [];
  try {
    return await list(reader, place.prefix);
  } finally {
    await reader.close();
  }
}

const MOST = 50;

async function listStories(reader: StoreReader): Promise<readonly Candidate[]> {
  const stories = await reader.stories(MOST);
  return [...stories.map(({ id, title }) => ({ value: id, about: title })), last];
}

const last: Candidate = { value: "@last", about: "the newest story" };

/** Stories, and of the delegations those that are open; all below an id once that is written. */
async function listWork(reader: StoreReader, prefix: string): Promise<readonly Candidate[]> {
  const stories = await listStories(reader);
  const below = prefix === "" ? [] : await reader.delegationIds({ prefix, limit: MOST });
  const open = await reader.openDelegations(MOST);
  return [
    ...stories,
    ...open.map(({ id, description }) => ({ value: id, about: description })),
    ...below.map((value) => ({ value, about: "" })),
  ];
}

async function listQuestions(reader: StoreReader): Promise<readonly Candidate[]> {
  const open = await reader.openApprovals(MOST);
  return open.map(({ delegation, question }) => ({ value: delegation, about: question }));
}

async function listAgents({ directory }: Place): Promise<readonly Candidate[]> {
  const { listDefinitions } = await import("../../agents/definitions.ts");
  const listed = await listDefinitions(findProjectRoot(directory) ?? directory);
  return listed.map(({ name, source }) => ({ value: name, about: source }));
}

const MOST_STATE_BYTES = 8 * 1024 * 1024;

/** Numbers of the task store, read as they stand: whether they are right is not for a completion to say. */
async function listTasks(place: Place): Promise<readonly Candidate[]> {
  const root = findProjectRoot(place.directory);
  if (root === undefined) return [];
  const file = join(root, await tasksFolder(root, place), "state.json");
  if ((statSync(file, { throwIfNoEntry: false })?.size ?? 0) > MOST_STATE_BYTES) return [];
  const state: unknown = JSON.parse(readFileSync(file, "utf8"));
  const projects: unknown = isRecord(state) ? state["active_projects"] : [];
  return Array.isArray(projects) ? projects.flatMap(describeTask) : [];
}

/** The usual folder unless a configuration names another; reading one costs more than all the rest. */
async function tasksFolder(root: string, { environment }: Place): Promise<string> {
  const usual = "specs";
  if (statSync(join(root, usual, "state.json"), { throwIfNoEntry: false }) !== undefined) return usual;
  const { loadConfig } = await import("../../config/load-config.ts");
  return (await loadConfig({ projectRoot: root, environment })).values.tasks.dir;
}

function describeTask(project: unknown): readonly Candidate[] {
  if (!isRecord(project)) return [];
  const number: unknown = project["project_number"] ?? project["number"];
  const name: unknown = project["title"] ?? project["project_name"] ?? "";
  if (typeof number !== "number" && typeof number !== "string") return [];
  return [{ value: String(number), about: typeof name === "string" ? name : "" }];
}

/** Of its own: the contract's would bring its whole schema library along. */
function isRecord(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === "object" && value !== null;
}
