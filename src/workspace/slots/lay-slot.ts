import { renameSync, rmSync } from "node:fs";
import { settleFolder } from "../prepare/copy-folder.ts";
import {
  copyDependencies,
  listPlaceable,
  placeCopies,
  type StagedDependencies,
} from "../prepare/dependencies.ts";
import { makeTemplate, templateKeyOf } from "../prepare/dependency-template.ts";
import type { FoundDependency } from "../prepare/find-dependencies.ts";
import { type Layer, mountLayer, upperOf } from "../prepare/layers.ts";
import { unmountBelow } from "../prepare/overlay.ts";
import { keepTemplates } from "../prepare/prune-templates.ts";
import type { SlotOptions } from "../prepare/slot-options.ts";
import type { TreeTemplate } from "../prepare/tree-trust.ts";
import type { SlotRecord } from "../records/record.ts";
import { checkOut, switchTo, syncIndex } from "./check-out.ts";
import type { RawTree } from "./fill-slot.ts";

/** Everything a checkout needs besides its commit that can be prepared without the checkout. */
export interface Furniture {
  readonly found: readonly FoundDependency[];
  readonly staged: StagedDependencies;
}

export interface LayRequest {
  readonly record: SlotRecord;
  readonly raw: RawTree | undefined;
  readonly furniture: Furniture;
}

/**
 * Brings a checkout's files and dependencies to its path: as one layer over everything shared, so that the worker
 * sees plain folders that it can remove, or as plain files with copies.
 */
export async function laySlot(options: SlotOptions, request: LayRequest): Promise<SlotRecord> {
  const { record, raw, furniture } = request;
  const { found, staged } = furniture;
  if (raw === undefined) {
    const placed = staged.kind === "copies" ? await placeCopies({ ...options, record, found }, staged) : [];
    return { ...record, dependencies: [...record.dependencies, ...placed] };
  }
  const wanted = listPlaceable(raw.shared?.tree ?? upperOf(raw.folder), found);
  if (wanted.length === 0 && raw.shared === undefined) return showPlain(record, raw);
  const parts = { record, raw, wanted, key: templateKeyOf(found) };
  // A template may be removed between finding and mounting it; the second attempt creates it again.
  const laid = (await tryToLay(options, parts)) ?? (await tryToLay(options, parts));
  return laid ?? withoutLayers(options, record, { raw, found });
}

interface Parts {
  readonly record: SlotRecord;
  readonly raw: RawTree;
  readonly wanted: readonly FoundDependency[];
  /** Identifies all dependencies the user has, wanted here or not. */
  readonly key: string;
}

async function tryToLay(options: SlotOptions, parts: Parts): Promise<SlotRecord | undefined> {
  try {
    return await layOver(options, parts);
  } catch {
    await unmountBelow(options.repository.host.searchPath, parts.record.path);
    return undefined;
  }
}

async function layOver(options: SlotOptions, { record, raw, wanted, key }: Parts): Promise<SlotRecord> {
  const template = wanted.length === 0 ? undefined : await makeTemplate(options, wanted);
  const lower = [raw.shared?.tree, template?.layer].filter((folder) => folder !== undefined);
  const layer: Layer = { lower, target: record.path, folder: raw.folder };
  keepTemplates(lower);
  await mountLayer(options, layer);
  const { workTree: fromRoot } = options.repository;
  for (const { path } of wanted)
    await settleFolder({ fromRoot, toRoot: record.path, path, links: template?.links[path] ?? [] });
  const prepared = { way: "overlay" as const, source: key, seal: "" };
  const dependencies = wanted.map(({ path }) => ({ path, ...prepared }));
  const laid: SlotRecord = { ...record, layers: [layer], dependencies };
  if (raw.shared !== undefined) await showCommit(options, laid, raw.shared);
  return laid;
}

/** Moves from the commit of the shared tree to the checkout's own, by the difference. */
async function showCommit(options: SlotOptions, record: SlotRecord, shared: TreeTemplate): Promise<void> {
  if (shared.commit === record.commit) syncIndex(options.stateDirectory, record);
  else await switchTo(options, { ...record, commit: shared.commit }, record.commit);
}

function showPlain(record: SlotRecord, raw: RawTree): SlotRecord {
  renameSync(upperOf(raw.folder), record.path);
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
    await checkOut(options, { ...record, path: upperOf(raw.folder) }, record.commit);
  const plain = showPlain(record, raw);
  return { ...plain, dependencies: [...(await copyDependencies({ ...options, record: plain, found }))] };
}
