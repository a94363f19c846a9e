import { readFileSync } from "node:fs";
import { join, relative } from "node:path";
import { pathExists, readRegularText } from "../../base/files.ts";
import { findTaskFolder, type TaskFolderInput } from "../../config/find-task-folder.ts";
import { getStateDirectory } from "../../project/state-directory.ts";
import type { CriterionSource } from "../../verification/read-criteria.ts";
import { isOfProject } from "./is-of-project.ts";
import { hashText, type TrustItem } from "./trust-item.ts";

/** Where criteria of a project come from. */
export interface CriteriaPlace extends TaskFolderInput {
  /** The PRD file that is about to run. */
  readonly prd?: string | undefined;
}

/** The criteria of one task or story, as the runtime reads them. */
interface Named {
  readonly file: string;
  readonly owner: string;
  readonly sources: readonly (string | CriterionSource)[];
}

/** The commands that criteria of the project's tasks and of its PRD file would run. `projectRoot` is a real path. */
export async function readCriterionItems(place: CriteriaPlace): Promise<readonly TrustItem[]> {
  const named = [...(await readTasks(place)), ...(await readPrd(place))];
  if (named.length === 0) return [];
  const { readCriteria } = await import("../../verification/read-criteria.ts");
  return named.flatMap(({ file, owner, sources }) =>
    readCriteria(sources, { testCommand: null })
      .criteria.flatMap(({ check }) => (check !== undefined && "command" in check ? [check.command] : []))
      .map((text): TrustItem => ({ file, field: owner, text, hash: hashText(text), isCriterion: true })),
  );
}

/** A task without one of these words has no criteria; a backslash could hide them. */
const TELLING = /\\u|criteria/iu;

async function readTasks(place: CriteriaPlace): Promise<readonly Named[]> {
  const found: Named[] = [];
  for (const dir of await listTaskFolders(place)) {
    const file = join(place.projectRoot, dir, "state.json");
    if (!pathExists(file)) continue;
    const text = readRegularText(file);
    if (text !== undefined && !TELLING.test(text)) continue;
    found.push(...(await readTaskFolder(place, dir)));
  }
  return found;
}

/** Those of the project's own settings and of a file used instead of them. Wrong settings start nothing. */
async function listTaskFolders(place: CriteriaPlace): Promise<ReadonlySet<string>> {
  const { configFile: _, ...own } = place;
  const inputs = place.configFile === undefined ? [own] : [own, place];
  const found = inputs.map((input) => findTaskFolder(input).catch(() => undefined));
  return new Set((await Promise.all(found)).filter((dir) => dir !== undefined));
}

/** Only active tasks can run. */
async function readTaskFolder({ projectRoot }: CriteriaPlace, dir: string): Promise<readonly Named[]> {
  const { readActiveCriteria } = await import("../../tasks/criterion-sources.ts");
  try {
    const found = readActiveCriteria({ projectRoot, dir, stateDirectory: getStateDirectory(projectRoot) });
    return found.map(({ task, file, sources }) => ({ file, owner: `task ${task}`, sources }));
  } catch {
    // A broken list is refused by every command that takes a task from it.
    return [];
  }
}

/** A file outside the project did not come with it. */
async function readPrd({ projectRoot, prd }: CriteriaPlace): Promise<readonly Named[]> {
  if (prd === undefined || !pathExists(prd)) return [];
  const file = relative(projectRoot, prd);
  if (!isOfProject(prd, projectRoot)) return [];
  const { prdSchema } = await import("../../contract/story.ts");
  const parsed = prdSchema.safeParse(readJson(prd));
  // A file that is not a PRD is refused by the command.
  if (!parsed.success) return [];
  const stories = parsed.data.userStories.filter(({ passes }) => !passes);
  return stories.map(({ id, acceptanceCriteria }) => ({
    file,
    owner: `story ${id}`,
    sources: acceptanceCriteria,
  }));
}

function readJson(file: string): unknown {
  try {
    return JSON.parse(readFileSync(file, "utf8"));
  } catch {
    // Not readable or not JSON, so not a PRD.
    return undefined;
  }
}
