import { existsSync } from "node:fs";
import * as z from "zod";
import { rebuildStore } from "../journal/rebuild-store.ts";
import { DelegationError } from "../base/delegation-error.ts";
import { makeCheckpointAgain } from "../supervisor/keep-checkpoint.ts";
import type { AppContext } from "./project/app-context.ts";
import { findProject, openWorkspaces } from "./project/open-project.ts";
import { defineUseCase } from "./use-case.ts";

/** Throws the projections and their checkpoint away and replays the journal. */
export const auditRebuildUseCase = defineUseCase({
  input: () => z.strictObject({}),
  output: () => z.looseObject({ rebuilt: z.boolean(), events: z.int() }),
  onlyPeople: "never rebuilds the store",
  run: async (context) => {
    const { storeFile } = findProject(context);
    // Opening for writing would create a store where there is none.
    if (!existsSync(storeFile)) return { rebuilt: false, events: 0 };
    const events = rebuildStore(storeFile);
    await renewCheckpoint(context, storeFile);
    return { rebuilt: true, events };
  },
});

/** In a folder that git cannot open there is no place to note a checkpoint. */
async function renewCheckpoint(context: AppContext, storeFile: string): Promise<void> {
  try {
    await makeCheckpointAgain((await openWorkspaces(context)).repository, storeFile);
  } catch (error) {
    if (!(error instanceof DelegationError)) throw error;
  }
}
