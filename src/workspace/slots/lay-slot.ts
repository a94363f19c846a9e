import { renameSync, rmSync } from "node:fs";
import { join } from "node:path";
import { DelegationError } from "../../base/delegation-error.ts";
import { isThere } from "../files/safe-path.ts";
import { runGit, splitZero } from "../git.ts";
import {
  copyDependencies,
  listPlaceable,
  placeCopies,
  type StagedDependencies,
} from "../prepare/dependencies.ts";
import { settleFolder } from "../prepare/copy-folder.ts";
import { makeTemplate, templateKeyOf } from "../prepare/dependency-template.ts";
import type { FoundDependency } from "../prepare/find-dependencies.ts";
import { type Layer, mountLayer, upperOf } from "../prepare/layers.ts";
import { unmountBelow } from "../prepare/overlay.ts";
import { keepTemplates } from "../prepare/prune-templates.ts";
import { checkOut, withSlotGit } from "./check-out.ts";
import type { RawTree } from "./fill-slot.ts";
import { ownIndexOf, type SlotRecord } from "./record.ts";
import { slotNotClean } from "./slot-not-clean.ts";
import type { SlotOptions } from "./slot-options.ts";

/** What a checkout needs beside its commit, as far as it can be got ready without the checkout. */
export interface Furniture {
  readonly found: readonly FoundDependency[];
  readonly staged: StagedDependencies;
}

export interface LayRequest {
  readonly record: SlotRecord;
  readonly raw: RawTree | undefined;
  readonly furniture: Furniture;
  /** A worker has had it: its folders may carry marks that only show when they are layered again. */
  readonly wasUsed?: boolean;
}

/**
 * Brings a checkout's files to its path, together with its dependencies: as one layer over all that is shared, so that
 * for the worker every folder is a plain one which it can remove, or as plain files with copies.
 */
export async function laySlot(options: SlotOptions, request: LayRequest): Promise<SlotRecord> {
  const { record, raw, furniture } = request;
  const { found, staged } = furniture;
  if (raw === undefined) {
    const placed = staged.kind === "copies" ? await placeCopies({ ...options, record, found }, staged) : [];
    return { ...record, dependencies: [...record.dependencies, ...placed] };
  }
  const wanted = listPlaceable(raw.tree ?? upperOf(raw.folder), found);
  if (wanted.length === 0 && raw.tree === undefined) return showPlain(record, raw);
  const parts = { record, raw, wanted, wasUsed: request.wasUsed ?? false, key: templateKeyOf(found) };
  // A template may be put away between finding and mounting it; the second time it is made anew.
  const laid = (await tryToLay(options, parts)) ?? (await tryToLay(options, parts));
  if (laid !== undefined) return laid;
  if (parts.wasUsed) throw slotNotClean(record, "its files cannot be shown again");
  return withoutLayers(options, record, { raw, found });
}

interface Parts {
  readonly record: SlotRecord;
  readonly raw: RawTree;
  readonly wanted: readonly FoundDependency[];
  readonly wasUsed: boolean;
  /** Stands for all dependencies the user has, wanted here or not. */
  readonly key: string;
}

async function tryToLay(options: SlotOptions, parts: Parts): Promise<SlotRecord | undefined> {
  try {
    return await layOver(options, parts);
  } catch (error) {
    await unmountBelow(options.repository.host.searchPath, parts.record.path);
    if (error instanceof DelegationError && error.code === "SLOT_NOT_CLEAN") throw error;
    return undefined;
  }
}

async function layOver(
  options: SlotOptions,
  { record, raw, wanted, wasUsed, key }: Parts,
): Promise<SlotRecord> {
  const template = wanted.length === 0 ? undefined : await makeTemplate(options, wanted);
  const lower = [raw.tree, template?.layer].filter((folder) => folder !== undefined);
  const layer: Layer = { lower, target: record.path, folder: raw.folder };
  const laid: SlotRecord = { ...record, layers: [layer] };
  keepTemplates(lower);
  await mountLayer(options, layer);
  if (wasUsed) await expectOnly(options, laid, wanted);
  const { workTree: fromRoot } = options.repository;
  for (const { path } of wanted)
    await settleFolder({ fromRoot, toRoot: record.path, path, links: template?.links[path] ?? [] });
  const prepared = { way: "overlay" as const, source: key, seal: "" };
  return { ...laid, dependencies: wanted.map(({ path }) => ({ path, ...prepared })) };
}

/** Nothing but the commit's files and the dependencies is there, and all of those are. */
async function expectOnly(
  options: SlotOptions,
  record: SlotRecord,
  wanted: readonly FoundDependency[],
): Promise<void> {
  const indexFile = ownIndexOf(options.stateDirectory, record.name);
  const { stdout } = await withSlotGit(options, record, (git) =>
    runGit({ place: { ...git.place, indexFile }, arguments: ["ls-files", "-z", "--others", "--directory"] }),
  );
  // A folder without anything tracked is listed as one, with a slash at its end.
  const others = splitZero(stdout).map((path) => path.toString("utf8"));
  const foreign = others.find((other) => !wanted.some(({ path }) => `${path}/`.startsWith(other)));
  const missing = wanted.find(({ path }) => !isThere(join(record.path, path)));
  if (foreign !== undefined) throw slotNotClean(record, `${foreign} is in it`);
  if (missing !== undefined) throw slotNotClean(record, `${missing.path} cannot be shown in it`);
}

function showPlain(record: SlotRecord, raw: RawTree): SlotRecord {
  renameSync(upperOf(raw.folder), record.path);
  rmSync(raw.folder, { recursive: true, force: true });
  return { ...record, layers: [] };
}

/** Mounting was refused this once; plain files work everywhere. */
async function withoutLayers(
  options: SlotOptions,
  record: SlotRecord,
  { raw, found }: { readonly raw: RawTree; readonly found: readonly FoundDependency[] },
): Promise<SlotRecord> {
  if (raw.tree !== undefined)
    await checkOut(options, { ...record, path: upperOf(raw.folder) }, record.commit);
  const plain = showPlain(record, raw);
  return { ...plain, dependencies: [...(await copyDependencies({ ...options, record: plain, found }))] };
}
