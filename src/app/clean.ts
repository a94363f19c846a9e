import { existsSync } from "node:fs";
import * as z from "zod";
import {
  cleanLeftovers,
  describeOrphan,
  findLeftovers,
  sortLeftovers,
} from "../orchestrator/find-leftovers.ts";
import { projectErrors } from "../errors/project.ts";
import { findProjectRoot } from "../project/find-project.ts";
import { adoptState, checkState, getStateDirectory, putStateAside } from "../project/state-directory.ts";
import { listUnusedTrees, removeUnusedTrees } from "./project/remove-unused-trees.ts";
import { openWorkspaces, readStore } from "./project/open-project.ts";
import { defineUseCase } from "./use-case.ts";

const output = () =>
  z.looseObject({
    removed: z.array(z.string()).describe("With a dry run: what would be removed"),
    left: z.array(z.string()).describe("It may hold work, so a person has to decide"),
    folders: z
      .array(z.string())
      .describe("Folders that were deleted: shared trees without a user, and what was set aside before"),
    trees: z.int().describe("How many folders that are"),
  });

/** Removes leftovers of finished work: never a commit, never unsaved work. */
export const cleanUseCase = defineUseCase({
  input: () =>
    z.strictObject({
      dryRun: z.boolean().optional(),
      foreignState: z
        .enum(["aside", "adopt"])
        .optional()
        .describe("Rename a state folder that is not ours, or continue a copied one here"),
    }),
  output,
  onlyPeople: ({ dryRun }) => (dryRun === true ? undefined : "never removes leftovers"),
  run: async (context, { dryRun, foreignState }) => {
    if (foreignState !== undefined) settleForeignState(context.directory, foreignState);
    const workspaces = await openWorkspaces(context);
    const orphans = await readStore(context, (reader) => findLeftovers(workspaces, reader));
    const planned = await sortLeftovers(workspaces, orphans);
    const leaving = new Set(planned.removed.flatMap((orphan) => ("path" in orphan ? [orphan.path] : [])));
    const folders = await listUnusedTrees(context, leaving);
    if (dryRun === true) return describeCleaned(planned, folders);
    const cleaned = await cleanLeftovers(workspaces, orphans);
    await removeUnusedTrees(context);
    return describeCleaned(
      cleaned,
      folders.filter((folder) => !existsSync(folder)),
    );
  },
});

function describeCleaned(
  { removed, left }: Awaited<ReturnType<typeof sortLeftovers>>,
  folders: readonly string[],
): z.output<ReturnType<typeof output>> {
  return {
    removed: removed.map(describeOrphan),
    left: left.map(describeOrphan),
    folders: [...folders],
    trees: folders.length,
  };
}

/** Applies a person's decision about a state folder that was copied or that somebody else made. */
function settleForeignState(directory: string, decision: "aside" | "adopt"): void {
  const root = findProjectRoot(directory);
  if (root === undefined) throw projectErrors.notARepository(directory);
  const state = getStateDirectory(root);
  const { kind } = checkState(state);
  if (kind === "ours" || kind === "absent") return;
  if (decision === "adopt") adoptState(state);
  else putStateAside(state);
}
