import { join } from "node:path";
import { isWriteTrouble } from "../base/file-trouble.ts";
import type { Delegation } from "../journal/store.ts";
import { redactFile } from "../redaction/redact-file.ts";
import { isAskedInAttempt } from "./approvals/ask-approval.ts";
import { nameAttemptFiles, readCheckRuns, readProcessRecord } from "./delegation/attempt-files.ts";
import { importRemainingWork } from "./delegation/keep-work.ts";
import { isLedWithoutAgent } from "./delegation/kind.ts";
import { recordEvent } from "./delegation/record.ts";
import type { RunTools } from "./ports/run-tools.ts";
import { bookKeptUse } from "./running/invoke/book-kept-use.ts";
import { keepReturn } from "./running/judge/keep-return.ts";
import { judgeReturn } from "./running/judge/validate-return.ts";
import { freePlace } from "./merged/free-place.ts";

export interface Recovered {
  readonly id: string;
  readonly killed: number;
  /** The state that it continues from. */
  readonly state: string;
}

export interface RecoverOptions {
  /** In a cluster: whether the newest attempt ran on this machine. */
  readonly isOurs?: (delegation: Delegation) => Promise<boolean>;
  /** Whether the workspaces of ended delegations are freed too. */
  readonly freesEnded?: boolean;
}

const MAX_OPEN = 10_000;

/**
 * After an owner died: first ends all of its processes that still run, then keeps the work of running delegations and
 * puts them back into the queue. All others continue from their state. Every step can be repeated after another crash.
 */
export async function recoverOpenWork(
  tools: RunTools,
  { isOurs = async () => true, freesEnded = true }: RecoverOptions = {},
): Promise<readonly Recovered[]> {
  const all = await tools.store.openDelegations(MAX_OPEN);
  const open: Delegation[] = [];
  for (const delegation of all) if (await isOurs(delegation)) open.push(delegation);
  const ended = freesEnded ? await tools.store.closedWithWorkspace(MAX_OPEN) : [];
  tools.origins.forgetOthers(new Set(all.map(({ story }) => story)));
  const recovered: Recovered[] = [];
  const killedById = new Map<string, number>();
  for (const delegation of open)
    if (delegation.attempt > 0) killedById.set(delegation.id, await reapProcesses(tools, delegation));
  if (all.length + ended.length > 0) await tools.git.tidy(new Set([...all, ...ended].map(({ id }) => id)));
  for (const delegation of open) {
    const killed = killedById.get(delegation.id) ?? 0;
    await continueOne(tools, delegation).catch(async (error: unknown) => {
      if (!(await isTakenOver(tools, delegation))) throw error;
    });
    const state = (await tools.store.delegation(delegation.id))?.state ?? "closed";
    if (killed > 0 || delegation.state === "running") recovered.push({ id: delegation.id, killed, state });
  }
  // A workspace that cannot be freed, for example one that was deleted by hand, must not stop the others.
  for (const { id } of ended) await freePlace(tools, id).catch(() => undefined);
  return recovered;
}

async function continueOne(tools: RunTools, delegation: Delegation): Promise<void> {
  if (mayHaveReported(delegation)) await bookKeptUse(tools, delegation);
  if (delegation.state === "running") await resumeRunning(tools, delegation, { reason: "the runtime died" });
  // It waited inside a call of a process that has ended now.
  if (delegation.state === "parked") await importRemainingWork(tools, delegation);
}

/** In a cluster, an attempt whose lease ran out while its work was kept here is given to another machine. */
async function isTakenOver({ store }: RunTools, { id, attempt, state }: Delegation): Promise<boolean> {
  const now = await store.delegation(id);
  return now?.attempt !== attempt || now.state !== state;
}

/**
 * Continues a delegation that this runtime could not move on because the disk was full. Processes of its attempt are
 * ended, and a return other than "completed" is ignored, because the full disk may be its reason.
 */
export async function resumeInterrupted(tools: RunTools, delegation: Delegation): Promise<void> {
  if (delegation.state !== "running" || isLedWithoutAgent(delegation)) return;
  await reapProcesses(tools, delegation);
  await bookKeptUse(tools, delegation);
  await resumeRunning(tools, delegation, { reason: "the disk was full", isForRoom: true });
}

/** Whether an agent of ours may have run until its owner died. */
function mayHaveReported(delegation: Delegation): boolean {
  const { state } = delegation;
  return (state === "running" || state === "parked") && !isLedWithoutAgent(delegation);
}

async function reapProcesses(tools: RunTools, delegation: Delegation): Promise<number> {
  const files = nameAttemptFiles(tools.stateDirectory, delegation);
  const uid = process.getuid?.() ?? 0;
  const announced = { runId: delegation.executionId, uid, identity: null, cgroup: null };
  let killed = await tools.processes.reap(readProcessRecord(files) ?? announced);
  for (const run of readCheckRuns(tools.stateDirectory, delegation))
    killed += await tools.processes.reap(run);
  // Its owner died before it could do this.
  for (const name of ["stdout", "stderr"]) await redactFile(join(files.directory, name));
  return killed;
}

/**
 * Keeps its work, then continues: a delegation that left its return is not run again, a delegation that delegated work or
 * asked a question waits for that, and only the others repeat the interrupted turn.
 */
async function resumeRunning(
  tools: RunTools,
  delegation: Delegation,
  { reason, isForRoom = false }: { readonly reason: string; readonly isForRoom?: boolean },
): Promise<void> {
  const { isAll, error } = await importRemainingWork(tools, delegation);
  // Its files still do not fit. Another attempt would cost something and change nothing.
  if (isForRoom && isWriteTrouble(error)) throw error;
  const waitingFor = await listUnfinished(tools, delegation);
  // An external manager did not die with the runtime and may come back; it and a workflow command have one attempt only.
  if (waitingFor.length > 0 || isLedWithoutAgent(delegation)) {
    await recordEvent(tools, delegation, {
      type: "delegation-parked",
      data: { waitingFor: [...waitingFor] },
    });
    return;
  }
  // Without its files a return proves nothing; then the next attempt continues in its workspace.
  const data = isAll ? await findReturn(tools, delegation) : undefined;
  if (data !== undefined && (!isForRoom || data.status === "completed"))
    await recordEvent(tools, delegation, { type: "delegation-returned", data });
  else await recordEvent(tools, delegation, { type: "attempt-lost", data: { reason } });
}

async function listUnfinished(tools: RunTools, delegation: Delegation): Promise<readonly string[]> {
  const { id, story, attempt, workers } = delegation;
  const tree = workers === 0 ? [] : await tools.store.storyTree(story);
  const handedOut = tree.filter(({ parent, parentAttempt }) => parent === id && parentAttempt === attempt);
  const approvals = await tools.store.approvalsOf(id);
  const asked = approvals.filter(
    (one) => one.kind === "clarification" && isAskedInAttempt(delegation, one.kind, one.id),
  );
  return [...handedOut, ...asked].map((one) => one.id);
}

async function findReturn(tools: RunTools, { id }: Delegation) {
  const delegation = await tools.store.delegation(id);
  if (delegation === undefined || delegation.tip === null) return undefined;
  // If a person deleted it, the next attempt finds out and reports it.
  const place = await tools.git.findPlace(delegation).catch(() => undefined);
  const { attempt, tip } = delegation;
  const { returnFile } = nameAttemptFiles(tools.stateDirectory, { id, attempt, outbox: place?.outbox });
  const verdict = await judgeReturn(tools, delegation, { returnFile, finalText: "", tip });
  return verdict.valid ? keepReturn(verdict.value) : undefined;
}
