import * as z from "zod";
import { DelegationError } from "../base/delegation-error.ts";
import { findSupervisor } from "./project/connect-supervisor.ts";
import { removeUnusedTrees } from "./project/remove-unused-trees.ts";
import { defineUseCase } from "./use-case.ts";

/** Stops the supervisor and what it runs; all work is kept. Returns when the process is gone. */
export const stopSupervisorUseCase = defineUseCase({
  input: () => z.strictObject({}),
  output: () =>
    z.looseObject({ running: z.boolean(), pid: z.int().optional().describe("The stopped process") }),
  onlyPeople: "never stops the supervisor",
  run: async (context) => {
    const client = await findSupervisor(context);
    if (client === undefined) return { running: false };
    await client.call("shutdown", {}).catch(ignoreGone);
    await client.closed;
    await removeUnusedTrees(context);
    return { running: false, pid: client.hello.pid };
  },
});

/** It was already leaving, which is what was asked for. */
function ignoreGone(error: unknown): void {
  if (!(error instanceof DelegationError) || error.code !== "SUPERVISOR_GONE") throw error;
}
