import { rmSync } from "node:fs";
import { writeFileAtomically } from "../../base/files.ts";
import { readGitStatus } from "../git/status.ts";
import { stageDependencies } from "../prepare/dependencies.ts";
import { RECALL_MS, recallDependencies } from "../prepare/find-dependencies.ts";
import { listIgnoredPatterns } from "../prepare/ignored-patterns.ts";
import { includeFiles } from "../prepare/include-files.ts";
import { canUseLayers } from "../prepare/layers.ts";
import { withProgress } from "../prepare/progress.ts";
import { runWorkspaceSetUp } from "../prepare/run-set-up.ts";
import { type SlotOptions } from "../prepare/slot-options.ts";
import {
  ownIgnoresPath,
  ownIndexPath,
  setUpChangesPath,
  type SlotRecord,
  writeSlotRecord,
} from "../records/record.ts";
import { withSlotGit } from "./check-out.ts";
import { type SlotExtras, mountSlot, type MountRequest } from "./mount-slot.ts";
import { buildSlotEnvironment } from "./slot-environment.ts";

/** Runs while the checkout is being filled, because copying dependencies often takes as long. */
export function stageSlotExtras(
  options: SlotOptions,
  record: Pick<SlotRecord, "dependencies" | "pooled">,
): Promise<SlotExtras> {
  return withProgress("bringing-dependencies", options.onProgress, async () => {
    const kept = new Set(record.dependencies.map(({ path }) => path));
    // If dependencies are only mounted, searching for them would take longer than everything else.
    const isQuick = await canUseLayers(options, options.dependencyWay);
    const maxAgeMs = isQuick ? (record.pooled ? RECALL_MS : Number.POSITIVE_INFINITY) : 0;
    const all = await recallDependencies(options, options.dependencyFolders, maxAgeMs);
    const found = all.filter(({ path }) => !kept.has(path));
    return { found, staged: await stageDependencies({ ...options, found, way: options.dependencyWay }) };
  });
}

/** Brings a filled checkout to its path with dependencies and included files, then runs `workspace.setup`. */
export async function assembleSlot(options: SlotOptions, request: MountRequest): Promise<SlotRecord> {
  const laid = await mountSlot(options, request);
  const included = await withProgress("bringing-files", options.onProgress, () =>
    includeFiles({ ...options, path: laid.path }),
  );
  const assembled: SlotRecord = { ...laid, included: [...included] };
  await setUpSlot(options, assembled);
  return assembled;
}

/**
 * Runs `workspace.setup` in a checkout that is otherwise ready, and records the ignored files that it left, and whether it
 * left others.
 */
async function setUpSlot(options: SlotOptions, record: SlotRecord): Promise<void> {
  const { setUp, stateDirectory, onProgress } = options;
  const ignores = ownIgnoresPath(stateDirectory, record.name);
  const changes = setUpChangesPath(stateDirectory, record.name);
  for (const file of [ignores, changes]) rmSync(file, { force: true });
  if (setUp === undefined) return;
  // This may take minutes, during which the templates below must not be removed.
  writeSlotRecord(stateDirectory, record);
  await runWorkspaceSetUp({
    setUp,
    checkout: { path: record.path, environment: buildSlotEnvironment(record) },
    onProgress,
  });
  const indexFile = ownIndexPath(stateDirectory, record.name);
  const { lines, changed } = await withSlotGit(options, record, async ({ place }) => ({
    lines: await listIgnoredPatterns({ ...place, indexFile }),
    changed: await readGitStatus({ ...place, indexFile }),
  }));
  if (changed.length > 0) writeFileAtomically(changes, "");
  writeFileAtomically(ignores, lines.map((line) => `${line}\n`).join(""));
}
