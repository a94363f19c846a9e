import { mkdirSync, readdirSync, renameSync, statSync, utimesSync } from "node:fs";
import { basename, join } from "node:path";
import { pathExists } from "../../base/files.ts";
import { randomBase36 } from "../../base/ids.ts";
import { getStateFolders } from "../files/state-folders.ts";
import { listSlots } from "../records/record.ts";
import { isUnfinishedName } from "./create-folder-whole.ts";
import { dependencyTemplateName } from "./dependency-template.ts";
import type { FoundDependency } from "./find-dependencies.ts";
import { canUseLayers } from "./layers.ts";
import type { SlotOptions } from "./slot-options.ts";
import { findTemplateFolder, hideTreeImages } from "./tree-image.ts";
import { chooseTreeTemplate } from "./tree-template.ts";

/** Longer than it takes from choosing a template until the record of the checkout above it is written. */
const IN_USE_MS = 60_000;

export interface TemplatePlace {
  readonly stateDirectory: string;
  readonly searchPath: string;
}

/** Removes finished templates that no checkout uses or is about to use, except those in `keep`. */
function pruneTemplates(place: TemplatePlace, keep: ReadonlySet<string>): Promise<void> {
  const { stateDirectory } = place;
  return removeTemplates(
    place,
    listUnusedTemplates(stateDirectory).filter(
      (folder) => !keep.has(basename(folder)) && !wasJustChosen(folder),
    ),
  );
}

/** Only for the owner of the project while nothing runs: otherwise a template could be about to be used. */
export function removeUnusedTemplates(place: TemplatePlace): Promise<void> {
  return removeTemplates(place, listUnusedTemplates(place.stateDirectory));
}

/** Unmounts what templates have mounted; checkouts above them keep it. */
export function hideTemplates({ repository, stateDirectory }: SlotOptions): Promise<void> {
  return hideTreeImages(repository.host.searchPath, getStateFolders(stateDirectory).templates);
}

/** Folders of finished templates that no checkout uses; those in `leaving` do not count. */
export function listUnusedTemplates(
  stateDirectory: string,
  leaving: ReadonlySet<string> = new Set(),
): readonly string[] {
  const { templates } = getStateFolders(stateDirectory);
  if (!pathExists(templates)) return [];
  const staying = listSlots(stateDirectory).filter(({ record }) => !leaving.has(record.path));
  const lowers = staying.flatMap(({ record }) => record.layers.flatMap(({ lower }) => lower));
  return readdirSync(templates)
    .filter((name) => !isUnfinishedName(name))
    .map((name) => join(templates, name))
    .filter((folder) => !lowers.some((lower) => lower.startsWith(`${folder}/`)));
}

async function removeTemplates(
  { stateDirectory, searchPath }: TemplatePlace,
  folders: readonly string[],
): Promise<void> {
  const { trash } = getStateFolders(stateDirectory);
  if (folders.length === 0) return;
  mkdirSync(trash, { recursive: true, mode: 0o700 });
  for (const folder of folders) await hideTreeImages(searchPath, folder);
  for (const folder of folders) renameSync(folder, join(trash, `${basename(folder)}-${randomBase36(8)}`));
}

/** Call it before a layer is mounted above templates; they then stay for a while. */
export function keepTemplates(lower: readonly string[]): void {
  const now = new Date();
  for (const folder of lower) utimesSync(findTemplateFolder(folder), now, now);
}

function wasJustChosen(folder: string): boolean {
  const age = Date.now() - statSync(folder).mtimeMs;
  return age >= 0 && age < IN_USE_MS;
}

/**
 * Keeps the templates of workspaces current: one tree for the current commit or near it, and one set of dependencies.
 */
export async function refreshTemplates(
  options: SlotOptions,
  commit: string,
  found: readonly FoundDependency[],
): Promise<void> {
  if (!(await canUseLayers(options, options.dependencyWay))) return;
  const shared = await chooseTreeTemplate(options, commit);
  const trees = shared === undefined ? [] : [basename(shared.folder)];
  const place = { stateDirectory: options.stateDirectory, searchPath: options.repository.host.searchPath };
  await pruneTemplates(place, new Set([...trees, dependencyTemplateName(found)]));
}
