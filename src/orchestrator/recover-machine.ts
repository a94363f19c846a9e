import type { OpenRunTools } from "./create-run-tools.ts";
import type { Machines } from "../journal/machines.ts";
import type { Delegation } from "../journal/store.ts";
import { nameAttemptFiles, readProcessRecord } from "./delegation/attempt-files.ts";
import { readMachineName } from "../contract/machine-owner.ts";
import { readLeaseMs } from "./delegation/lease.ts";
import { KeptLeases } from "./machines/kept-leases.ts";
import { leavePlace } from "./machines/leave-place.ts";
import type { RunTools } from "./ports/run-tools.ts";
import { recoverOpenWork } from "./recover.ts";

/**
 * After a machine's process was killed: ends its leftover processes, keeps and pushes the work of attempts that are still
 * its own, and gives them back. Attempts that another machine has taken over are only removed here. Returns the attempts
 * that were given back.
 */
export async function recoverMachine(
  tools: OpenRunTools,
  machines: Machines,
  name: string,
): Promise<readonly string[]> {
  await tools.store.refresh?.();
  const held = await machines.listLeases();
  const ours = new Map(
    held
      .filter(({ owner }) => readMachineName(owner) === name)
      .map(({ delegation, attempt }) => [delegation, attempt]),
  );
  const leases = await keepLeases(tools, ours);
  try {
    await recoverAttempts(tools, ours);
  } finally {
    await leases.close();
  }
  for (const [id, attempt] of ours) {
    await leavePlace(tools, id).catch(() => undefined);
    await machines.release(id, attempt);
  }
  return [...ours.keys()];
}

/**
 * To keep and push work may take longer than a lease. An attempt that is lost meanwhile may no longer name its work, and
 * the next one would start without it.
 */
async function keepLeases(tools: RunTools, ours: ReadonlyMap<string, number>): Promise<KeptLeases> {
  const { store } = tools;
  const leaseMs = readLeaseMs(tools);
  const leases = new KeptLeases({ store, leaseMs, stop: () => undefined });
  for (const [id, attempt] of ours) leases.keep(id, attempt);
  // The first regular heartbeat may be too late for a lease that began long before the kill.
  await Promise.allSettled([...ours].map(([id, attempt]) => store.heartbeat(id, attempt, leaseMs)));
  return leases;
}

async function recoverAttempts(tools: OpenRunTools, ours: ReadonlyMap<string, number>): Promise<void> {
  const isOurs = async ({ id, attempt }: Delegation): Promise<boolean> => ours.get(id) === attempt;
  for (const id of await tools.listPlaces()) {
    const delegation = await tools.store.delegation(id);
    if (delegation === undefined) continue;
    await endProcesses(tools, delegation);
    if (!(await isOurs(delegation))) await dropPlace(tools, delegation).catch(() => undefined);
  }
  await recoverOpenWork(tools, { isOurs, freesEnded: false });
}

/** Ends the processes of every attempt that ever ran here. */
async function endProcesses(tools: RunTools, { id, attempt: newest }: Delegation): Promise<void> {
  for (let attempt = 1; attempt <= newest; attempt += 1) {
    const record = readProcessRecord(nameAttemptFiles(tools.stateDirectory, { id, attempt }));
    if (record !== undefined) await tools.processes.reap(record);
  }
}

/** The files stay in this clone's refs; the cluster continues without them. */
async function dropPlace(tools: RunTools, delegation: Delegation): Promise<void> {
  const place = await tools.git.findPlace(delegation);
  if (place === undefined) return;
  await place.keepWork(`Left by an attempt of ${delegation.id} that another machine repeats\n`);
  await place.release(false);
}
