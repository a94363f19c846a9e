import { renameSync, rmSync } from "node:fs";
import { settleFolder } from "../prepare/copy-folder.ts";
import {
  copyDependencies,
  listPlaceable,
  placeDependencyCopies,
  type StagedDependencies,
} from "../prepare/dependencies.ts";
import { makeTemplate, buildTemplateKey } from "../prepare/dependency-template.ts";
import type { FoundDependency } from "../prepare/find-dependencies.ts";
import { type Layer, mountLayer, getUpperFolder } from "../prepare/layers.ts";
import { unmountBelow } from "../prepare/overlay.ts";
import { keepTemplates } from "../prepare/prune-templates.ts";
import type { SlotOptions } from "../prepare/slot-options.ts";
import type { TreeTemplate } from "../prepare/tree-trust.ts";
import type { SlotRecord } from "../records/record.ts";
import { checkOutCommit, switchToCommit, syncWorkerIndex } from "./check-out.ts";
import type { RawTree } from "./fill-slot.ts";

/** Everything a checkout needs besides its commit that can be prepared without the checkout. */
export interface SlotExtras {
  readonly found: readonly FoundDependency[];
  readonly staged: StagedDependencies;
}

export interface MountRequest {
  readonly record: SlotRecord;
  readonly raw: RawTree | undefined;
  readonly extras: SlotExtras;
}

/**
 * Brings a checkout's files and dependencies to its path: as one layer over all shared folders, so that the worker sees
 * plain folders that it can remove, or as plain files with copies.
 */
export async function mountSlot(options: SlotOptions, request: MountRequest): Promise<SlotRecord> {
  const { record, raw, extras } = request;
  const { found, staged } = extras;
  if (raw === undefined) {
    const placed =
      staged.kind === "copies" ? await placeDependencyCopies({ ...options, record, found }, staged) : [];
    return { ...record, dependencies: [...record.dependencies, ...placed] };
  }
  const wanted = listPlaceable(raw.shared?.tree ?? getUpperFolder(raw.folder), found);
  if (wanted.length === 0 && raw.shared === undefined) return placePlainFiles(record, raw);
  const parts = { record, raw, wanted, key: buildTemplateKey(found) };
  // A template may be removed between finding and mounting it; the second attempt creates it again.
  const laid = (await tryToMount(options, parts)) ?? (await tryToMount(options, parts));
  return laid ?? withoutLayers(options, record, { raw, found });
}

interface Parts {
  readonly record: SlotRecord;
  readonly raw: RawTree;
  readonly wanted: readonly FoundDependency[];
  /** Identifies all dependencies the user has, whether needed here or not. */
  readonly key: string;
}

async function tryToMount(options: SlotOptions, parts: Parts): Promise<SlotRecord | undefined> {
  try {
    return await mountOverShared(options, parts);
  } catch {
    await unmountBelow(options.repository.host.searchPath, parts.record.path);
    return undefined;
  }
}

async function mountOverShared(
  options: SlotOptions,
  { record, raw, wanted, key }: Parts,
): Promise<SlotRecord> {
  const template = wanted.length === 0 ? undefined : await makeTemplate(options, wanted);
  const lower = [raw.shared?.tree, template?.layer].filter((folder) => folder !== undefined);
  const layer: Layer = { lower, target: record.path, folder: raw.folder };
  keepTemplates(lower);
  await mountLayer(options, layer, { isThrowaway: options.isThrowaway === true });
  const { workTree: fromRoot } = options.repository;
  for (const { path } of wanted)
    await settleFolder({ fromRoot, toRoot: record.path, path, links: template?.links[path] ?? [] });
  const prepared = { way: "overlay" as const, source: key, seal: "" };
  const dependencies = wanted.map(({ path }) => ({ path, ...prepared }));
  const laid: SlotRecord = { ...record, layers: [layer], dependencies };
  if (raw.shared !== undefined) await switchToOwnCommit(options, laid, raw.shared);
  return laid;
}

/** Moves from the commit of the shared tree to the checkout's own, by the difference. */
async function switchToOwnCommit(
  options: SlotOptions,
  record: SlotRecord,
  shared: TreeTemplate,
): Promise<void> {
  if (shared.commit === record.commit) syncWorkerIndex(options.stateDirectory, record);
  else await switchToCommit(options, { ...record, commit: shared.commit }, record.commit);
}

function placePlainFiles(record: SlotRecord, raw: RawTree): SlotRecord {
  renameSync(getUpperFolder(raw.folder), record.path);
  rmSync(raw.folder, { recursive: true, force: true });
  return { ...record, layers: [] };
}

/** Mounting was refused this time; plain files work everywhere. */
async function withoutLayers(
  options: SlotOptions,
  record: SlotRecord,
  { raw, found }: { readonly raw: RawTree; readonly found: readonly FoundDependency[] },
): Promise<SlotRecord> {
  if (raw.shared !== undefined)
    await checkOutCommit(options, { ...record, path: getUpperFolder(raw.folder) }, record.commit);
  const plain = placePlainFiles(record, raw);
  return { ...plain, dependencies: [...(await copyDependencies({ ...options, record: plain, found }))] };
}
