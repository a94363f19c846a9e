import { join } from "node:path";
import { isThere, makeParents } from "../files/safe-path.ts";
import type { Repository } from "../repository.ts";
import type { SlotRecord } from "../slots/record.ts";
import { copyFolder, settleFolder } from "./copy-folder.ts";
import { makeTemplate } from "./dependency-template.ts";
import type { FoundDependency } from "./find-dependencies.ts";
import { addLayer, canLayer, type Layer } from "./layers.ts";
import { sealFolder } from "./seal.ts";

type Prepared = SlotRecord["dependencies"][number];

export interface DependencyRequest {
  readonly repository: Repository;
  readonly stateDirectory: string;
  readonly record: Pick<SlotRecord, "name" | "path" | "pooled">;
  readonly found: readonly FoundDependency[];
  /** `auto` mounts where this process may. */
  readonly way: "auto" | "copy";
}

export interface BroughtDependencies {
  readonly dependencies: readonly Prepared[];
  readonly layers: readonly Layer[];
}

/** Gives a checkout dependency folders of its own: a private layer over a shared template, or a copy. */
export async function bringDependencies(request: DependencyRequest): Promise<BroughtDependencies> {
  const { found, record } = request;
  // A folder the commit itself has, or whose parents are links, is not ours to fill.
  const wanted = found.filter(
    ({ path }) => !isThere(join(record.path, path)) && makeParents(record.path, path),
  );
  if (wanted.length === 0) return { dependencies: [], layers: [] };
  if (!(await canLayer(request, request.way))) return copyAll(request, wanted);
  // A template may be put away between finding and mounting it; the second time it is made anew.
  return layAll(request, wanted).catch(() => layAll(request, wanted));
}

/** Whether a prepared folder is still as it was made; a layer is always renewed, which costs next to nothing. */
export async function isUntouched(record: SlotRecord, prepared: Prepared): Promise<boolean> {
  if (prepared.way === "overlay" || !isThere(join(record.path, prepared.path))) return false;
  return (await sealFolder(join(record.path, prepared.path))) === prepared.seal;
}

async function layAll(
  request: DependencyRequest,
  wanted: readonly FoundDependency[],
): Promise<BroughtDependencies> {
  const { repository, record } = request;
  // The template holds all that was found, so that workspaces at different commits share one.
  const template = await makeTemplate(request, request.found);
  const dependencies: Prepared[] = [];
  const layers: Layer[] = [];
  for (const { path } of wanted) {
    const place = { lower: join(template.layer, path), target: join(record.path, path) };
    layers.push(await addLayer(request, record.name, place));
    const links = template.links[path] ?? [];
    await settleFolder({ fromRoot: repository.workTree, toRoot: record.path, path, links });
    dependencies.push({ path, way: "overlay", source: template.key, seal: "" });
  }
  return { dependencies, layers };
}

async function copyAll(
  request: DependencyRequest,
  wanted: readonly FoundDependency[],
): Promise<BroughtDependencies> {
  const { repository, record } = request;
  const dependencies: Prepared[] = [];
  for (const { path, signature } of wanted) {
    const { searchPath } = repository.host;
    await copyFolder({ searchPath, fromRoot: repository.workTree, toRoot: record.path, path });
    // Only a pooled checkout is ever asked again whether its folders are untouched.
    const seal = record.pooled ? await sealFolder(join(record.path, path)) : "";
    dependencies.push({ path, way: "copy", source: signature, seal });
  }
  return { dependencies, layers: [] };
}
