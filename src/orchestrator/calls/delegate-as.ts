import { orchestratorErrors } from "../../errors/orchestrator.ts";
import { workerCallErrors } from "../../errors/worker-calls.ts";
import type { Admission, Delegation } from "../../journal/store.ts";
import { workRefName } from "../../workspace/branch-names.ts";
import { importRemainingWork } from "../delegation/keep-work.ts";
import { isExternalManager } from "../delegation/kind.ts";
import { pickStoryTools } from "../delegation/story-tools.ts";
import type { EngineCalls } from "../live/engine-calls.ts";
import type { Caller } from "../live/live-attempts.ts";
import { delegateWork } from "../opening/admit.ts";
import { readCommitTime } from "../delegation/manager-branch.ts";
import { recordEvent } from "../delegation/record.ts";
import { readCaller } from "./read-caller.ts";
import type { RunTools } from "../ports/run-tools.ts";

type Host = Pick<EngineCalls, "live" | "read" | "tools">;

/** Delegates for a worker known by its token. Its work so far is kept first, because its own workers start from it. */
export async function delegateAs(host: Host, caller: Caller, input: unknown): Promise<readonly Admission[]> {
  const admissions = await host.live.runWhileLive(caller, async () => {
    const manager = await readCaller(host, caller);
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

/**
 * Keeps the person's present files as the manager's newest work, from which its next workers start. The user's checkout
 * is only read. The journal gets an event if the snapshot differs from the one that the last workers started from.
 */
async function keepSnapshot(tools: RunTools, manager: Delegation): Promise<void> {
  const { id, tip: before } = manager;
  const snapshot = await tools.git.snapshot(id);
  const tip = before === null ? snapshot.commit : await joinHistory(tools, { manager, before, snapshot });
  if (tip === before) return;
  const ref = workRefName(id);
  const result = await tools.git.moveBranch({ ref, from: await tools.git.readBranch(ref), to: tip });
  if (result === "raced" || result === "held-elsewhere") throw orchestratorErrors.workRefChanged(ref);
  // The person's own changes are not delegated work, so base and tip are the same.
  const data = { tip, base: tip, filesChanged: [] };
  await recordEvent(tools, manager, { type: "work-kept", data });
}

interface NewSnapshot {
  readonly manager: Delegation;
  readonly before: string;
  readonly snapshot: { readonly commit: string; readonly hasUncommittedWork: boolean };
}

/**
 * Each snapshot follows the one before it, so that a file edited twice does not conflict with itself. It also follows the
 * person's own commits, so that story work they have merged counts as present.
 */
async function joinHistory(tools: RunTools, { manager, before, snapshot }: NewSnapshot): Promise<string> {
  const { commit, hasUncommittedWork } = snapshot;
  if (await tools.git.contains(commit, before)) return commit;
  const tree = await tools.git.treeOf(commit);
  const isSame = tree === (await tools.git.treeOf(before));
  if (isSame && (hasUncommittedWork || (await tools.git.contains(before, commit)))) return before;
  const message = `The person's files when ${manager.id} delegated\n`;
  const timeSeconds = readCommitTime(manager);
  return tools.git.commit({ tree, parents: [before, commit], message, timeSeconds });
}
