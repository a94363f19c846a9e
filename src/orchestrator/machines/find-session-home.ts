import * as z from "zod";
import { readMachineStart } from "../../contract/machine-owner.ts";
import type { Delegation, Store } from "../../journal/store.ts";

const MAX_EVENTS = 500;

const startedSchema = z.object({
  type: z.literal("attempt-started"),
  data: z.object({ owner: z.string() }),
});

/** The start of the machine that ran its newest attempt, as `name/incarnation`, if its agent has a session there. */
export async function findSessionHome(
  store: Pick<Store, "newestEvents">,
  { id, agentSession, turn }: Delegation,
): Promise<string | undefined> {
  // A handover begins a new session wherever it runs.
  if (agentSession === null || turn.kind === "handover") return undefined;
  const events = await store.newestEvents(MAX_EVENTS, { delegation: id });
  const started = events
    .map(({ body }) => startedSchema.safeParse(JSON.parse(body)).data)
    .findLast((event) => event !== undefined);
  return started === undefined ? undefined : readMachineStart(started.data.owner);
}
