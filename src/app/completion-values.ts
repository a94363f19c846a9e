import { readFileSync, statSync } from "node:fs";
import { join } from "node:path";
import { findProjectRoot } from "../project/find-project.ts";
import type { StoreReader } from "../journal/store.ts";

/** Lists that a shell can complete from. */
export type CompletionKind =
  | "stories"
  | "work"
  | "questions"
  | "tasks"
  | "agents"
  | "templates"
  | "config keys"
  | "symptoms"
  | "clients";

/** One value, with a few words about it. */
export interface Candidate {
  readonly value: string;
  readonly about: string;
}

export interface CompletionPlace {
  readonly directory: string;
  readonly environment: Readonly<Record<string, string | undefined>>;
  /** The word so far, to limit lists that could be long. */
  readonly prefix: string;
}

/** The values that exist now. Each list loads only what it needs, because a person waits for the key they pressed. */
export function listCompletionValues(
  kind: CompletionKind,
  place: CompletionPlace,
): Promise<readonly Candidate[]> {
  return listers[kind](place);
}

type Lister = (place: CompletionPlace) => Promise<readonly Candidate[]>;

const listers: Readonly<Record<CompletionKind, Lister>> = {
  stories: (place) => listFromStore(place, listStories),
  work: (place) => listFromStore(place, listWork),
  questions: (place) => listFromStore(place, listQuestions),
  tasks: listTasks,
  agents: listAgents,
  templates: async ({ directory }) => {
    const { listTemplateNames } = await import("../templates/read-templates.ts");
    return listTemplateNames(findProjectRoot(directory)).map(withoutAbout);
  },
  "config keys": async () => {
    const { configKeys } = await import("../contract/config-keys.ts");
    return configKeys.map(({ key, description }) => ({ value: key, about: description }));
  },
  symptoms: async () => {
    const { symptoms } = await import("./symptoms.ts");
    return symptoms.map(({ name, title }) => ({ value: name, about: title }));
  },
  clients: async () => (await import("./mcp-client-names.ts")).mcpClientNames.map(withoutAbout),
};

function withoutAbout(value: string): Candidate {
  return { value, about: "" };
}

async function listFromStore(
  place: CompletionPlace,
  list: (reader: StoreReader, prefix: string) => Promise<readonly Candidate[]>,
): Promise<readonly Candidate[]> {
  const root = findProjectRoot(place.directory);
  if (root === undefined) return [];
  const { storeFile } = await import("../journal/store-file.ts");
  const { openReader } = await import("../journal/open-reader.ts");
  const reader = openReader(storeFile(root));
  if (reader === undefined) return [];
  try {
    return await list(reader, place.prefix);
  } finally {
    await reader.close();
  }
}

const MAX_LISTED = 50;

async function listStories(reader: StoreReader): Promise<readonly Candidate[]> {
  const stories = await reader.stories(MAX_LISTED);
  return [...stories.map(({ id, title }) => ({ value: id, about: title })), newest];
}

const newest: Candidate = { value: "@last", about: "the newest story" };

/** Stories and open delegations; also every delegation that begins with the word so far. */
async function listWork(reader: StoreReader, prefix: string): Promise<readonly Candidate[]> {
  const stories = await listStories(reader);
  const below = prefix === "" ? [] : await reader.delegationIds({ prefix, limit: MAX_LISTED });
  const open = await reader.openDelegations(MAX_LISTED);
  return [
    ...stories,
    ...open.map(({ id, description }) => ({ value: id, about: description })),
    ...below.map(withoutAbout),
  ];
}

async function listQuestions(reader: StoreReader): Promise<readonly Candidate[]> {
  const open = await reader.openApprovals(MAX_LISTED);
  return open.map(({ delegation, question }) => ({ value: delegation, about: question }));
}

async function listAgents({ directory }: CompletionPlace): Promise<readonly Candidate[]> {
  const { listDefinitions } = await import("../agents/definitions.ts");
  const listed = await listDefinitions(findProjectRoot(directory) ?? directory);
  return listed.map(({ name, source }) => ({ value: name, about: source }));
}

const MAX_STATE_BYTES = 8 * 1024 * 1024;

/** The numbers in the task store, read without checking the file: a completion reports no errors. */
async function listTasks(place: CompletionPlace): Promise<readonly Candidate[]> {
  const root = findProjectRoot(place.directory);
  if (root === undefined) return [];
  const file = join(root, await findTaskFolder(root, place), "state.json");
  if ((statSync(file, { throwIfNoEntry: false })?.size ?? 0) > MAX_STATE_BYTES) return [];
  const state: unknown = JSON.parse(readFileSync(file, "utf8"));
  const projects: unknown = isRecord(state) ? state["active_projects"] : [];
  return Array.isArray(projects) ? projects.flatMap(describeTask) : [];
}

/** The default folder if it has a store: reading the configuration takes longer than everything else here. */
async function findTaskFolder(root: string, { environment }: CompletionPlace): Promise<string> {
  const usual = "specs";
  if (statSync(join(root, usual, "state.json"), { throwIfNoEntry: false }) !== undefined) return usual;
  const { loadConfig } = await import("../config/load-config.ts");
  return (await loadConfig({ projectRoot: root, environment })).values.tasks.dir;
}

function describeTask(project: unknown): readonly Candidate[] {
  if (!isRecord(project)) return [];
  const number: unknown = project["project_number"] ?? project["number"];
  const name: unknown = project["title"] ?? project["project_name"] ?? "";
  if (typeof number !== "number" && typeof number !== "string") return [];
  return [{ value: String(number), about: typeof name === "string" ? name : "" }];
}

/** The contract has one too, but importing it would load the schema library. */
function isRecord(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === "object" && value !== null;
}
