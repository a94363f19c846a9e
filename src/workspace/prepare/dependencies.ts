import { mkdirSync, renameSync, rmSync } from "node:fs";
import { join } from "node:path";
import { pathExists } from "../../base/files.ts";
import { randomBase36 } from "../../base/ids.ts";
import { canHaveParents, makeParentFolders } from "../files/safe-path.ts";
import { getStateFolders } from "../files/state-folders.ts";
import type { Repository } from "../git/repository.ts";
import type { SlotRecord } from "../records/record.ts";
import { copyFolderRaw, findLinksInto, settleFolder } from "./copy-folder.ts";
import { type DependencyTemplate, makeTemplate } from "./dependency-template.ts";
import type { FoundDependency } from "./find-dependencies.ts";
import { fingerprintTree } from "./fingerprint.ts";
import { canUseLayers } from "./layers.ts";

type Prepared = SlotRecord["dependencies"][number];

export interface StageRequest {
  readonly repository: Repository;
  readonly stateDirectory: string;
  readonly found: readonly FoundDependency[];
  /** `auto` mounts if this process may. */
  readonly way: "auto" | "copy";
}

export interface DependencyRequest extends StageRequest {
  readonly record: Pick<SlotRecord, "name" | "path" | "pooled">;
}

/** Dependencies ready to be put into a checkout: copies next to it, or a template to mount. */
export type StagedDependencies =
  | { readonly kind: "none" }
  | { readonly kind: "template"; readonly template: DependencyTemplate }
  | StagedCopies;

export interface StagedCopies {
  readonly kind: "copies";
  readonly folder: string;
  readonly copies: readonly StagedCopy[];
}

interface StagedCopy extends FoundDependency {
  readonly staged: string;
  readonly links: readonly string[];
}

/** Copies the user's dependency folders into a checkout. */
export async function copyDependencies(
  request: Omit<DependencyRequest, "way">,
): Promise<readonly Prepared[]> {
  const staged = await stageDependencies({ ...request, way: "copy" });
  return staged.kind === "copies" ? placeDependencyCopies(request, staged) : [];
}

/** The slow part. It needs no checkout and can run while one is being filled. */
export async function stageDependencies(request: StageRequest): Promise<StagedDependencies> {
  const { found, repository } = request;
  if (found.length === 0) return { kind: "none" };
  // The template holds all folders that were found, so that workspaces at different commits share one.
  if (await canUseLayers(request, request.way))
    return { kind: "template", template: await makeTemplate(request, found) };
  const folder = join(stagingDirectory(request.stateDirectory), `${String(process.pid)}-${randomBase36(8)}`);
  mkdirSync(folder, { recursive: true, mode: 0o700 });
  const copies: StagedCopy[] = [];
  for (const [index, { path, signature }] of found.entries()) {
    const staged = join(folder, String(index));
    await copyFolderRaw(repository.host.searchPath, join(repository.workTree, path), staged);
    copies.push({ path, signature, staged, links: await findLinksInto(staged, repository.workTree) });
  }
  return { kind: "copies", folder, copies };
}

/**
 * Lists the dependencies that fit into the tree. A folder that the commit itself has, or whose parents are links, is
 * not ours to fill.
 */
export function listPlaceable(tree: string, found: readonly FoundDependency[]): readonly FoundDependency[] {
  return found.filter(({ path }) => !pathExists(join(tree, path)) && canHaveParents(tree, path));
}

/** The fast part, which needs the checkout. */
export async function placeDependencyCopies(
  { repository, record, found }: Omit<DependencyRequest, "way">,
  { folder, copies }: StagedCopies,
): Promise<readonly Prepared[]> {
  const dependencies: Prepared[] = [];
  const paths = new Set(listPlaceable(record.path, found).map(({ path }) => path));
  for (const { path, signature, staged, links } of copies.filter((copy) => paths.has(copy.path))) {
    makeParentFolders(record.path, path);
    renameSync(staged, join(record.path, path));
    await settleFolder({ fromRoot: repository.workTree, toRoot: record.path, path, links });
    // Only a pooled checkout is later asked whether its folders are untouched.
    const seal = record.pooled ? await fingerprintTree(join(record.path, path)) : "";
    dependencies.push({ path, way: "copy", source: signature, seal });
  }
  rmSync(folder, { recursive: true, force: true });
  return dependencies;
}

/** Whether a prepared folder is still as it was created. A layer is always renewed, which costs almost nothing. */
export async function isDependencyUntouched(record: SlotRecord, prepared: Prepared): Promise<boolean> {
  if (prepared.way === "overlay" || !pathExists(join(record.path, prepared.path))) return false;
  return (await fingerprintTree(join(record.path, prepared.path))) === prepared.seal;
}

export function stagingDirectory(stateDirectory: string): string {
  return getStateFolders(stateDirectory).staging;
}
