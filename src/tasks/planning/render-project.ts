import { posix } from "node:path";
import { editMembers } from "../json/edit-json.ts";
import { parseJsonTree } from "../json/json-tree.ts";
import { applyEdits } from "../markdown/lines.ts";
import { parseJsonFile, readTaskFile } from "../files/read-file.ts";
import { findTaskFolder, listFolders, makeFolderPath } from "../files/task-folder.ts";
import { readTextField } from "../model/view-task.ts";
import type { Draft, DraftTask } from "./draft.ts";

/** Changes of the tasks' own state.json files, and folders that follow their tasks to the archive or back. */
export interface ProjectFiles {
  readonly writes: readonly {
    readonly path: string;
    readonly before: string | undefined;
    readonly text: string;
  }[];
  readonly moves: readonly { readonly from: string; readonly to: string }[];
}

export function renderProjectFiles(draft: Draft): ProjectFiles {
  const tasks = [...draft.tasks.values()];
  const isConcerned = tasks.some(
    ({ was, now, sets, links }) => was !== now || sets.size > 0 || links.length > 0,
  );
  if (!isConcerned) return { writes: [], moves: [] };
  const { projectRoot, paths } = draft.sources.place;
  const archive = posix.dirname(paths.archive);
  const folders = {
    active: listFolders(projectRoot, paths.dir),
    archived: listFolders(projectRoot, archive),
  };
  const moves = tasks.flatMap((task) => planFolderMove(draft, task, folders));
  const writes = tasks.flatMap((task) => planFileWrite(draft, task, folders.active));
  return { writes, moves };
}

interface Folders {
  readonly active: ReadonlySet<string>;
  readonly archived: ReadonlySet<string>;
}

function planFolderMove(
  draft: Draft,
  { id, was, now, raw }: DraftTask,
  folders: Folders,
): ProjectFiles["moves"] {
  if (was === now || was === "none") return [];
  const { dir, archive } = draft.sources.place.paths;
  const [source, target] =
    now === "archived" ? (["active", "archived"] as const) : (["archived", "active"] as const);
  const name = findTaskFolder(folders[source], id, raw);
  if (name === undefined) return [];
  if (folders[target].has(name)) {
    draft.warnings.push(
      `The folder ${name} of task ${id} was not moved: a folder of that name already exists there`,
    );
    return [];
  }
  const places = { active: dir, archived: posix.dirname(archive) };
  return [{ from: posix.join(places[source], name), to: posix.join(places[target], name) }];
}

/** Updates the file if it exists; creates it with the first artifact. A text that is the same is not written. */
function planFileWrite(draft: Draft, task: DraftTask, names: ReadonlySet<string>): ProjectFiles["writes"] {
  if (task.now !== "active" || task.was !== "active" || task.sets.size === 0) return [];
  const { projectRoot, paths } = draft.sources.place;
  const name = findTaskFolder(names, task.id, task.raw);
  if (name === undefined && task.links.length === 0) return [];
  const folder =
    name === undefined
      ? makeFolderPath(paths.dir, task.id, readTextField(task.raw, "project_name"))
      : posix.join(paths.dir, name);
  const path = posix.join(folder, "state.json");
  const before = readTaskFile(projectRoot, path);
  if (before === undefined) {
    return task.links.length === 0
      ? []
      : [{ path, before, text: `${JSON.stringify(buildOwnFields(task), null, 2)}\n` }];
  }
  const fields = parseJsonFile(before, path);
  const changes = new Map([...task.sets].filter(([key, value]) => key in fields && value !== undefined));
  const text = applyEdits(before, editMembers(before, parseJsonTree(before, path), changes));
  return [{ path, before, text }];
}

function buildOwnFields({ raw }: DraftTask): Readonly<Record<string, unknown>> {
  const fields: [string, unknown][] = [["task_number", raw["project_number"]]];
  for (const key of [
    "project_name",
    "language",
    "task_type",
    "status",
    "created",
    "last_updated",
    "artifacts",
  ]) {
    if (raw[key] !== undefined) fields.push([key, raw[key]]);
  }
  return Object.fromEntries(fields);
}
