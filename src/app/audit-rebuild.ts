import { existsSync } from "node:fs";
import * as z from "zod";
import { rebuildStore } from "../journal/rebuild-store.ts";
import { findProject } from "./project/open-project.ts";
import { defineUseCase } from "./use-case.ts";

/** Throws the projections away and replays the journal. */
export const auditRebuildUseCase = defineUseCase({
  input: () => z.strictObject({}),
  output: () => z.looseObject({ rebuilt: z.boolean(), events: z.int() }),
  onlyPeople: "never rebuilds the store",
  run: async (context) => {
    const { storeFile } = findProject(context);
    // Opening for writing would create a store where there is none.
    if (!existsSync(storeFile)) return { rebuilt: false, events: 0 };
    return { rebuilt: true, events: rebuildStore(storeFile) };
  },
});
