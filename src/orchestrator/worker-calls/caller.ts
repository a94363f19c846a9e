import * as z from "zod";
import { DelegationError } from "../../base/delegation-error.ts";
import { isRecord } from "../../contract/lenient.ts";
import type { Delegation } from "../../journal/store.ts";
import type { Engine } from "../engine.ts";
import type { Caller } from "../live/live-attempts.ts";

/** A call whose token was good, and what it says beside it. */
export interface WorkerCall {
  readonly caller: Caller;
  readonly fields: Readonly<Record<string, unknown>>;
}

const LONGEST_TOKEN = 200;

/** Who calls, by token alone. A token nobody holds now is refused before anything else of the call is looked at. */
export function identify(engine: Engine, input: unknown): WorkerCall {
  const { token, ...fields } = isRecord(input) ? input : {};
  const isPlausible = typeof token === "string" && token !== "" && token.length <= LONGEST_TOKEN;
  const caller = isPlausible ? engine.live.holderOf(token) : undefined;
  if (caller === undefined) throw notAWorker();
  engine.live.health.heard(caller.id, engine.tools.clock.monotonicMs());
  return { caller, fields };
}

/** The rest of a call through its schema; what does not fit is the caller's to correct. */
export function readFields<Schema extends z.ZodType>(schema: Schema, fields: unknown): z.infer<Schema> {
  const parsed = schema.safeParse(fields);
  if (parsed.success) return parsed.data;
  throw new DelegationError({
    code: "USAGE",
    message: `The call is not usable: ${z.prettifyError(parsed.error)}`,
    recommendation: "Correct it and call again; nothing was done.",
    recoverable: true,
  });
}

/** Does something only while the caller's attempt is the one that runs. */
export async function whileLive<Result>(
  engine: Engine,
  caller: Caller,
  action: () => Promise<Result>,
): Promise<Result> {
  const held = await engine.live.during(caller, async () => ({ result: await action() }));
  if (held === undefined) throw notAWorker();
  return held.result;
}

/** The caller and all below it, itself first. */
export async function readSubtree(engine: Engine, caller: Caller): Promise<readonly Delegation[]> {
  const self = await engine.read(caller.id);
  if (self.workers === 0) return [self];
  const tree = await engine.tools.store.storyTree(self.story);
  return [self, ...tree.filter(({ id }) => id.startsWith(`${self.id}${LINK}`))];
}

/** One of the caller's subtree; anything else is not there for it, whether it exists or not. */
export async function readBelow(engine: Engine, caller: Caller, id: string): Promise<Delegation> {
  const wanted = wholeId(caller, id);
  const isNamedSo = wanted === caller.id || wanted.startsWith(`${caller.id}${LINK}`);
  const found = isNamedSo ? await engine.tools.store.delegation(wanted) : undefined;
  // A person may have given another story an id that looks like one of its workers.
  if (found === undefined || found.story !== (await engine.read(caller.id)).story) throw notYours(id);
  return found;
}

/** A worker the caller itself started. */
export async function readWorker(engine: Engine, caller: Caller, id: string): Promise<Delegation> {
  const found = await readBelow(engine, caller, id);
  if (found.parent !== caller.id) throw notYours(id);
  return found;
}

/** Whether a delegation of its story was started by this manager itself. */
export function isWorkerOf(
  manager: Pick<Delegation, "id" | "story">,
  { story, delegation }: { readonly story: string; readonly delegation: string },
): boolean {
  const start = `${manager.id}${LINK}`;
  return story === manager.story && delegation.startsWith(start) && !delegation.includes(LINK, start.length);
}

const LINK = "-DEL-";

/** `DEL-002` is the caller's own second worker. */
export function wholeId(caller: Caller, id: string): string {
  return id.startsWith("DEL-") ? `${caller.id}-${id}` : id;
}

function notYours(id: string): DelegationError {
  return new DelegationError({
    code: "DELEGATION_NOT_FOUND",
    message: `You have no worker ${id}.`,
    recommendation: "See your own with status; others are not yours to act on.",
    recoverable: true,
  });
}

function notAWorker(): DelegationError {
  return new DelegationError({
    code: "NOT_A_WORKER",
    message: "This process is not a worker that is running now.",
    recommendation: "Use ambit run to start a story; ambit delegate is for agents inside one.",
  });
}
