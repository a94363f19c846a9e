import { statSync } from "node:fs";
import { join } from "node:path";
import { refuseWithoutSpace } from "../../base/free-space.ts";
import type { Repository } from "../git/repository.ts";
import { listEntriesOn, readPathStat, type TreeChange } from "./touched.ts";

/** The room for the note, commits, refs and their logs. */
const SPARE_BYTES = 1024 * 1024;

/** Refuses a move for which a disk has no room, before any data of the user changes. */
export function requireRoom(
  { gitDirectory, workTree }: Repository,
  stage: string,
  touched: readonly TreeChange[],
): void {
  const index = statSync(join(gitDirectory, "index"), { throwIfNoEntry: false })?.size ?? 0;
  // The new index is written twice: in a private folder, and next to the old one.
  refuseWithoutSpace(gitDirectory, 2 * index + SPARE_BYTES);
  // Staged files take no more room if they are only renamed.
  if (statSync(stage).dev === statSync(workTree).dev) return;
  const sizes = listEntriesOn(touched, "to").map(({ path }) => readPathStat(stage, path)?.size ?? 0);
  refuseWithoutSpace(
    workTree,
    sizes.reduce((sum, size) => sum + size, SPARE_BYTES),
  );
}
