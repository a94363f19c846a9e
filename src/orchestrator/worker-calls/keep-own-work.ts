import type { Delegation } from "../../journal/store.ts";
import { keepWork } from "../delegation/keep-work.ts";
import type { EngineCalls } from "../live/engine-calls.ts";
import type { Caller } from "../live/live-attempts.ts";
import { whileLive } from "./caller.ts";

/** Keeps the caller's present files as its newest work, and answers the caller with it. */
export function keepOwnWork(engine: EngineCalls, caller: Caller): Promise<Delegation> {
  return whileLive(engine, caller, () => keepNow(engine, caller));
}

/** The same for code that runs inside `whileLive` already. */
export async function keepNow(engine: EngineCalls, { id }: Caller): Promise<Delegation> {
  await keepWork(engine.tools, await engine.read(id));
  return engine.read(id);
}
