import type { Delegation } from "../../journal/store.ts";
import { readCaller } from "../calls/read-caller.ts";
import { importRemainingWork } from "../delegation/keep-work.ts";
import type { EngineCalls } from "../live/engine-calls.ts";
import type { Caller } from "../live/live-attempts.ts";
import { runWhileLive } from "./caller.ts";

/** Keeps the caller's present files as its newest work, and returns the caller with it. */
export function keepOwnWork(engine: EngineCalls, caller: Caller): Promise<Delegation> {
  return runWhileLive(engine, caller, () => keepWorkNow(engine, caller));
}

/** The same for code that runs inside `whileLive` already. */
export async function keepWorkNow(engine: EngineCalls, caller: Caller): Promise<Delegation> {
  await importRemainingWork(engine.tools, await readCaller(engine, caller));
  return readCaller(engine, caller);
}
