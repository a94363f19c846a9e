import type { Delegation } from "../../journal/store.ts";
import { keepWhatThereIs } from "../delegation/keep-work.ts";
import type { Engine } from "../engine.ts";
import type { Caller } from "../live/live-attempts.ts";
import { whileLive } from "./caller.ts";

/** Keeps what the caller has in its folder now; answers the caller with that as its newest work. */
export function keepOwnWork(engine: Engine, caller: Caller): Promise<Delegation> {
  return whileLive(engine, caller, () => keepNow(engine, caller));
}

/** The same for who is inside `whileLive` already. */
export async function keepNow(engine: Engine, { id }: Caller): Promise<Delegation> {
  await keepWhatThereIs(engine.tools, await engine.read(id));
  return engine.read(id);
}
