import { setTimeout as delay } from "node:timers/promises";
import * as z from "zod";
import { hasErrorCode } from "../base/files.ts";
import { supervisorErrors } from "../errors/supervisor.ts";
import type { SupervisorClient } from "../supervisor/client.ts";
import { MAX_LEAVING_MS } from "../supervisor/ensure-supervisor.ts";
import { describeOwner, killOwner, type ProjectOwner } from "../supervisor/project-owner.ts";
import type { AppContext } from "./project/app-context.ts";
import { findDriver } from "./project/find-driver.ts";
import { findSupervisor } from "./project/connect-supervisor.ts";
import { removeUnusedTrees } from "./project/remove-unused-trees.ts";
import { defineUseCase } from "./use-case.ts";

/** Stops the supervisor and what it runs; all work is kept. Returns when the process is gone. */
export const stopSupervisorUseCase = defineUseCase({
  input: () =>
    z.strictObject({
      force: z.boolean().default(false).describe("Kill it if it does not answer"),
    }),
  output: () =>
    z.looseObject({
      running: z.boolean(),
      pid: z.int().optional().describe("The stopped process"),
      killed: z.boolean().optional().describe("Whether it had to be killed"),
    }),
  onlyPeople: "never stops the supervisor",
  run: async (context, { force }) => {
    try {
      return await askToLeave(context);
    } catch (error) {
      if (!force || !hasErrorCode(error, "SUPERVISOR_STUCK")) throw error;
      return killDriver(context, error);
    }
  },
});

async function askToLeave(context: AppContext) {
  const found = await findRunning(context);
  if (found === undefined) return { running: false };
  await found.client?.call("shutdown", {}).catch(ignoreGone);
  await found.client?.closed;
  await waitUntilFree(context, found.pid);
  await removeUnusedTrees(context);
  return { running: false, pid: found.pid };
}

/** It has closed its socket, but may still back up the store and hold the project's lock. */
async function waitUntilFree(context: AppContext, pid: number): Promise<void> {
  const giveUpAt = performance.now() + MAX_LEAVING_MS;
  for (;;) {
    const driver = findDriver(context);
    if (driver?.pid !== pid) return;
    if (performance.now() > giveUpAt) throw supervisorErrors.stuck(describeOwner(driver));
    await delay(LOOK_MS);
  }
}

/**
 * A supervisor that leaves by itself takes no calls anymore, but still backs up the store and frees the workspaces; one that
 * has just started takes none yet. Undefined if there is none at all.
 */
async function findRunning(
  context: AppContext,
): Promise<{ readonly pid: number; readonly client?: SupervisorClient } | undefined> {
  const giveUpAt = performance.now() + MAX_LEAVING_MS;
  let silent: ProjectOwner | undefined;
  for (;;) {
    const client = await findSupervisor(context, { anyProtocol: true });
    if (client !== undefined) return { pid: client.hello.pid, client };
    const driver = findDriver(context);
    if (driver === undefined) return silent;
    if (performance.now() > giveUpAt) throw supervisorErrors.stuck(describeOwner(driver));
    silent = driver;
    await delay(LOOK_MS);
  }
}

/** It was already leaving, which is what was asked for. */
function ignoreGone(error: unknown): void {
  if (!hasErrorCode(error, "SUPERVISOR_GONE")) throw error;
}

const MAX_DYING_MS = 5000;
const LOOK_MS = 20;

/** Only the process that proves to be the owner is killed. Its workers end with it; the next supervisor keeps their work. */
async function killDriver(context: AppContext, stuck: unknown) {
  const driver = findDriver(context);
  if (driver === undefined || !killOwner(driver)) throw stuck;
  const giveUpAt = performance.now() + MAX_DYING_MS;
  while (findDriver(context) !== undefined) {
    if (performance.now() > giveUpAt) throw supervisorErrors.unkillable(driver.pid);
    await delay(LOOK_MS);
  }
  return { running: false, pid: driver.pid, killed: true };
}
