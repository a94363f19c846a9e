import * as z from "zod";
import { cleanLeftovers, describeOrphan, findLeftovers } from "../orchestrator/find-leftovers.ts";
import { removeUnusedTrees } from "./project/remove-unused-trees.ts";
import { settleForeignState } from "./project/settle-foreign-state.ts";
import { openWorkspaces, readStore } from "./project/open-project.ts";
import { defineUseCase } from "./use-case.ts";

const output = () =>
  z.looseObject({
    removed: z.array(z.string()),
    left: z.array(z.string()).describe("With a dry run: everything that would be looked at"),
    trees: z.int().describe("Shared trees that were deleted"),
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
    if (dryRun === true) return { removed: [], left: orphans.map(describeOrphan), trees: 0 };
    const { removed, left, trees } = await cleanLeftovers(workspaces, orphans);
    const unused = await removeUnusedTrees(context);
    return { removed: removed.map(describeOrphan), left: left.map(describeOrphan), trees: trees + unused };
  },
});
