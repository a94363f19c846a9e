import { withProgress } from "../files/progress.ts";
import { placeDependencies, type StagedDependencies, stageDependencies } from "../prepare/dependencies.ts";
import { findDependencies, type FoundDependency, recallDependencies } from "../prepare/find-dependencies.ts";
import { includeFiles } from "../prepare/include-files.ts";
import { canLayer } from "../prepare/layers.ts";
import type { SlotOptions } from "./slot-options.ts";
import type { SlotRecord } from "./record.ts";

/** What a checkout needs beside its commit, as far as it can be got ready without the checkout. */
export interface Furniture {
  readonly found: readonly FoundDependency[];
  readonly staged: StagedDependencies;
}

/** Runs beside the filling of the checkout: copying dependencies often takes as long. */
export function stageFurniture(
  options: SlotOptions,
  record: Pick<SlotRecord, "dependencies" | "pooled">,
): Promise<Furniture> {
  return withProgress("bringing-dependencies", options.onProgress, async () => {
    const kept = new Set(record.dependencies.map(({ path }) => path));
    // Where dependencies are only mounted, looking for them would take longer than everything else.
    const isQuick = await canLayer(options, options.dependencyWay);
    const look = isQuick && !record.pooled ? recallDependencies : findDependencies;
    const all = await look(options, options.dependencyFolders);
    const found = all.filter(({ path }) => !kept.has(path));
    return { found, staged: await stageDependencies({ ...options, found, way: options.dependencyWay }) };
  });
}

/** Puts included files and dependencies in place; the commit's own files go first. */
export async function furnishSlot(
  options: SlotOptions,
  record: SlotRecord,
  { found, staged }: Furniture,
): Promise<SlotRecord> {
  const included = await withProgress("bringing-files", options.onProgress, () =>
    includeFiles({ ...options, path: record.path }),
  );
  const way = options.dependencyWay;
  const brought = await placeDependencies({ ...options, record, found, way }, staged);
  return {
    ...record,
    included: [...included],
    dependencies: [...record.dependencies, ...brought.dependencies],
    layers: [...record.layers, ...brought.layers],
  };
}
