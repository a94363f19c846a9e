import { describeSchemaIssues } from "../../base/schema-issues.ts";
import type * as z from "zod";
import { isRecord } from "../../base/json.ts";
import { expandChildId, isBelow, isDirectChild } from "../../contract/child-id.ts";
import { workerCallErrors } from "../../errors/worker-calls.ts";
import type { Delegation } from "../../journal/store.ts";
import { readCaller } from "../calls/read-caller.ts";
import type { EngineCalls } from "../live/engine-calls.ts";
import type { Caller } from "../live/live-attempts.ts";

/** A call with a valid token, and its other fields. */
export interface WorkerCall {
  readonly caller: Caller;
  readonly fields: Readonly<Record<string, unknown>>;
}

const MAX_TOKEN_LENGTH = 200;

/** Identifies the caller by its token alone. A token that no running worker holds is refused before anything else. */
export function identifyCaller(engine: EngineCalls, input: unknown): WorkerCall {
  const { token, ...fields } = isRecord(input) ? input : {};
  const isPlausible = typeof token === "string" && token !== "" && token.length <= MAX_TOKEN_LENGTH;
  const caller = isPlausible ? engine.live.findTokenHolder(token) : undefined;
  if (caller === undefined) throw workerCallErrors.notAWorker();
  engine.live.health.markHeard(caller.id, engine.tools.clock.monotonicMs());
  return { caller, fields };
}

/** Reads the rest of a call through its schema; the caller can correct wrong fields. */
export function readFields<Schema extends z.ZodType>(schema: Schema, fields: unknown): z.infer<Schema> {
  const parsed = schema.safeParse(fields);
  if (parsed.success) return parsed.data;
  throw workerCallErrors.unusableCall(describeSchemaIssues(parsed.error));
}

/** Runs the task only while the caller's attempt is the one that runs. */
export async function runWhileLive<Result>(
  engine: EngineCalls,
  caller: Caller,
  action: () => Promise<Result>,
): Promise<Result> {
  const held = await engine.live.runWhileLive(caller, async () => ({ result: await action() }));
  if (held === undefined) throw workerCallErrors.notAWorker();
  return held.result;
}

/** The caller and all below it, itself first. */
export async function readSubtree(engine: EngineCalls, caller: Caller): Promise<readonly Delegation[]> {
  const self = await readCaller(engine, caller);
  if (self.workers === 0) return [self];
  const tree = await engine.tools.store.storyTree(self.story);
  return [self, ...tree.filter(({ id }) => isBelow(id, self.id))];
}

/** A delegation of the caller's subtree; for the caller no other exists. */
export async function readFromSubtree(engine: EngineCalls, caller: Caller, id: string): Promise<Delegation> {
  const wanted = expandChildId(caller.id, id);
  const isNamedSo = wanted === caller.id || isBelow(wanted, caller.id);
  const found = isNamedSo ? await engine.tools.store.delegation(wanted) : undefined;
  // A person may have given another story an id that looks like one of its workers' ids.
  if (found === undefined || found.story !== (await readCaller(engine, caller)).story)
    throw workerCallErrors.notYourWorker(id);
  return found;
}

/** A worker that the caller itself started. */
export async function readWorker(engine: EngineCalls, caller: Caller, id: string): Promise<Delegation> {
  const found = await readFromSubtree(engine, caller, id);
  if (found.parent !== caller.id) throw workerCallErrors.notYourWorker(id);
  return found;
}

/** Whether this manager itself started a delegation of its story. */
export function isWorkerOf(
  manager: Pick<Delegation, "id" | "story">,
  { story, delegation }: { readonly story: string; readonly delegation: string },
): boolean {
  return story === manager.story && isDirectChild(delegation, manager.id);
}
