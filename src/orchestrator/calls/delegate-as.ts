import { orchestratorErrors } from "../../errors/orchestrator.ts";
import { workerCallErrors } from "../../errors/worker-calls.ts";
import type { Admission, Delegation } from "../../journal/store.ts";
import { importRemainingWork } from "../delegation/keep-work.ts";
import { isExternalManager } from "../delegation/kind.ts";
import { pickStoryTools } from "../delegation/story-tools.ts";
import { keepSnapshot } from "../external-manager/keep-snapshot.ts";
import type { EngineCalls } from "../live/engine-calls.ts";
import type { Caller } from "../live/live-attempts.ts";
import { delegateWork } from "../opening/admit.ts";

type Host = Pick<EngineCalls, "live" | "read" | "tools">;

/** Delegates for a worker known by its token. Its work so far is kept first, because its own workers start from it. */
export async function delegateAs(host: Host, caller: Caller, input: unknown): Promise<readonly Admission[]> {
  const admissions = await host.live.runWhileLive(caller, async () => {
    const manager = await host.read(caller.id);
    const tools = await pickStoryTools(host.tools, manager.story);
    if (!isExternalManager(manager)) {
      await importRemainingWork(tools, manager);
      return delegateWork(tools, manager, input);
    }
    await keepSnapshot(tools, manager);
    const answers = await delegateWork(tools, manager, input);
    // Its story ended while it asked. It gets the same error as after that end, and its next story begins with this call.
    if (answers.every(isAfterEnd)) throw workerCallErrors.notAWorker();
    return answers;
  });
  if (admissions === undefined) throw orchestratorErrors.attemptReplaced(caller.id);
  return admissions;
}

function isAfterEnd(admission: Admission): boolean {
  return !admission.admitted && admission.failures.some(({ code }) => code === "PARENT_NOT_RUNNING");
}

export function listAdmitted(admissions: readonly Admission[]): readonly Delegation[] {
  return admissions.flatMap((admission) => (admission.admitted ? [admission.delegation] : []));
}
