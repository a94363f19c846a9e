import { rmSync } from "node:fs";
import { writeAtomic } from "../files/write-atomic.ts";
import { listIgnored } from "../prepare/ignored-patterns.ts";
import { runSetUp } from "../prepare/run-set-up.ts";
import type { SlotOptions } from "../prepare/slot-options.ts";
import { ownIgnoresOf, ownIndexOf, type SlotRecord, writeRecord } from "../records/record.ts";
import { withSlotGit } from "./check-out.ts";
import { environmentOf } from "./slot-environment.ts";

/** Runs `workspace.setup` in a checkout that is otherwise ready, and records the ignored files that it left. */
export async function setUpSlot(options: SlotOptions, record: SlotRecord): Promise<void> {
  const { setUp, stateDirectory, onProgress } = options;
  const ignores = ownIgnoresOf(stateDirectory, record.name);
  rmSync(ignores, { force: true });
  if (setUp === undefined) return;
  // This may take minutes, during which the templates below must not be removed.
  writeRecord(stateDirectory, record);
  await runSetUp({
    setUp,
    checkout: { path: record.path, environment: environmentOf(record) },
    onProgress,
  });
  const indexFile = ownIndexOf(stateDirectory, record.name);
  const lines = await withSlotGit(options, record, (git) => listIgnored({ ...git.place, indexFile }));
  writeAtomic(ignores, lines.map((line) => `${line}\n`).join(""));
}
