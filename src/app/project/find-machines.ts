import { readMachineName } from "../../contract/machine-owner.ts";
import { readMembership } from "../../journal/refresh-tables.ts";
import type { OutlinedDelegation, StoreReader } from "../../journal/store.ts";

/** The worker machine of each delegation that runs on one; empty for a project that is in no cluster. */
export async function findMachines(
  storeFile: string,
  reader: StoreReader,
  tree: readonly Pick<OutlinedDelegation, "id" | "state">[],
): Promise<ReadonlyMap<string, string>> {
  const machines = new Map<string, string>();
  const running = tree.filter(({ state }) => state === "running");
  if (running.length === 0 || readMembership(storeFile) === undefined) return machines;
  // Reading events loads their schemas, which a command that starts fast does without.
  const { readEvents } = await import("./journal-events.ts");
  for (const { id } of running) {
    const events = await readEvents(reader, { delegation: id });
    const started = events.findLast((event) => event.type === "attempt-started");
    const name = started?.type === "attempt-started" ? readMachineName(started.data.owner) : undefined;
    if (name !== undefined) machines.set(id, name);
  }
  return machines;
}
