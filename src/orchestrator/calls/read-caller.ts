import { workerCallErrors } from "../../errors/worker-calls.ts";
import type { Delegation } from "../../journal/store.ts";
import type { EngineCalls } from "../live/engine-calls.ts";
import type { Caller } from "../live/live-attempts.ts";

/**
 * The delegation of a caller. If another machine has begun its next attempt, the caller must not speak in the name of
 * that attempt.
 */
export async function readCaller(host: Pick<EngineCalls, "read">, caller: Caller): Promise<Delegation> {
  const self = await host.read(caller.id);
  if (self.attempt !== caller.attempt) throw workerCallErrors.notAWorker();
  return self;
}
