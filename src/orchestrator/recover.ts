import type { Delegation } from "../journal/store.ts";
import { isAskedBy } from "./approvals/ask-approval.ts";
import { attemptFiles, readCheckRuns, readProcessRecord } from "./delegation/attempt-files.ts";
import { keepWhatThereIs } from "./delegation/keep-work.ts";
import { isOutside } from "./external-manager/rules.ts";
import type { RunTools } from "./ports/run-tools.ts";
import { judgeReturn } from "./running/judge/validate-return.ts";
import { freePlace } from "./merged/close-delegation.ts";

export interface Recovered {
  readonly id: string;
  readonly killed: number;
  /** What it goes on with. */
  readonly state: string;
}

const MOST_OPEN = 10_000;

/**
 * After an owner died: first nothing of it may run any more, then what was running is kept and goes back to the
 * queue. Everything else needs nothing: its state already says how to go on. Every step may be killed and done again.
 */
export async function recoverOpenWork(tools: RunTools): Promise<readonly Recovered[]> {
  const open = await tools.store.openDelegations(MOST_OPEN);
  const ended = await tools.store.closedWithWorkspace(MOST_OPEN);
  const recovered: Recovered[] = [];
  const killedOf = new Map<string, number>();
  for (const delegation of open)
    if (delegation.attempt > 0) killedOf.set(delegation.id, await reap(tools, delegation));
  if (open.length + ended.length > 0) await tools.git.tidy(new Set([...open, ...ended].map(({ id }) => id)));
  for (const delegation of open) {
    const killed = killedOf.get(delegation.id) ?? 0;
    if (delegation.state === "running") await takeUp(tools, delegation);
    // It waited in a call of a process that is gone now.
    if (delegation.state === "parked") await keepWhatThereIs(tools, delegation);
    const state = (await tools.store.delegation(delegation.id))?.state ?? "closed";
    if (killed > 0 || delegation.state === "running") recovered.push({ id: delegation.id, killed, state });
  }
  // One that cannot be freed, deleted by hand perhaps, must not keep all others from going on.
  for (const { id } of ended) await freePlace(tools, id).catch(() => undefined);
  return recovered;
}

async function reap(tools: RunTools, delegation: Delegation): Promise<number> {
  const files = attemptFiles(tools.stateDirectory, delegation);
  const uid = process.getuid?.() ?? 0;
  const announced = { runId: delegation.executionId, uid, identity: null, cgroup: null };
  let killed = await tools.processes.reap(readProcessRecord(files) ?? announced);
  for (const run of readCheckRuns(tools.stateDirectory, delegation))
    killed += await tools.processes.reap(run);
  return killed;
}

/**
 * Its work is kept, then it goes on where it can: one that had already left its return is not run again, one that had
 * handed out work or asked something waits for that, and only the others begin the interrupted turn anew.
 */
async function takeUp(tools: RunTools, delegation: Delegation): Promise<void> {
  const { isAll } = await keepWhatThereIs(tools, delegation);
  const { id, story, attempt } = delegation;
  const about = { story, delegation: id, attempt };
  const waitingFor = await unfinishedBusiness(tools, delegation);
  // Who leads from outside did not die with us and may come back; its attempt is the only one it has.
  if (waitingFor.length > 0 || isOutside(delegation)) {
    await tools.store.record({ ...about, type: "delegation-parked", data: { waitingFor: [...waitingFor] } });
    return;
  }
  // A return speaks of files that are not there when they could not be kept: the next attempt goes on in its folder.
  const left = isAll ? await findReturn(tools, delegation) : undefined;
  if (left !== undefined) await tools.store.record({ ...about, type: "delegation-returned", data: left });
  else await tools.store.record({ ...about, type: "attempt-lost", data: { reason: "the runtime died" } });
}

async function unfinishedBusiness(tools: RunTools, delegation: Delegation): Promise<readonly string[]> {
  const { id, story, attempt, workers } = delegation;
  const tree = workers === 0 ? [] : await tools.store.storyTree(story);
  const handedOut = tree.filter(({ parent, parentAttempt }) => parent === id && parentAttempt === attempt);
  const approvals = await tools.store.approvalsOf(id);
  const asked = approvals.filter(
    (one) => one.kind === "clarification" && isAskedBy(delegation, one.kind, one.id),
  );
  return [...handedOut, ...asked].map((one) => one.id);
}

async function findReturn(tools: RunTools, { id }: Delegation) {
  const delegation = await tools.store.delegation(id);
  if (delegation === undefined || delegation.tip === null) return undefined;
  // Deleted by hand: the next attempt finds that out, and says so.
  const place = await tools.git.findPlace(delegation).catch(() => undefined);
  const { attempt, tip } = delegation;
  const { returnFile } = attemptFiles(tools.stateDirectory, { id, attempt, outbox: place?.outbox });
  const verdict = await judgeReturn(tools, delegation, { returnFile, finalText: "", tip });
  if (!verdict.valid) return undefined;
  const { status, summary, artifacts } = verdict.value;
  return { status, summary, artifacts: artifacts.map(({ path }) => path) };
}
