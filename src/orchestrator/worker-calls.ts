import type { EngineCalls } from "./live/engine-calls.ts";
import { workerAsks } from "./worker-calls/ask.ts";
import { workerDelegates, workerWaits } from "./worker-calls/hand-out.ts";
import { workerResult, workerStatus } from "./worker-calls/look.ts";
import { workerReadsMessages, workerSends } from "./worker-calls/messages.ts";
import { workerCancels, workerReplies } from "./worker-calls/steer.ts";
import { workerSubmits } from "./worker-calls/submit-return.ts";
import { workerUpdatesTasks } from "./worker-calls/task-update.ts";
import { workerVerifies } from "./worker-calls/verify.ts";

export { identifyCaller, readFromSubtree, readFields } from "./worker-calls/caller.ts";
export { keepOwnWork } from "./worker-calls/keep-own-work.ts";
export type { DelegateAnswer } from "./worker-calls/hand-out.ts";
export type { EngineCalls };
export { workerAsks, workerDelegates };

export type WorkerCallName =
  | "delegate"
  | "wait"
  | "ask"
  | "status"
  | "result"
  | "submit_return"
  | "verify"
  | "cancel"
  | "reply"
  | "task_update"
  | "send_agent_message"
  | "list_pending_messages";

/**
 * Everything a worker can ask of the runtime. Only its token identifies the caller, and each call acts inside the
 * caller's own subtree: on the caller itself, or on workers it started.
 */
export const workerCalls: Readonly<
  Record<WorkerCallName, (engine: EngineCalls, input: unknown) => Promise<unknown>>
> = {
  delegate: workerDelegates,
  wait: workerWaits,
  ask: workerAsks,
  status: workerStatus,
  result: workerResult,
  submit_return: workerSubmits,
  verify: workerVerifies,
  cancel: workerCancels,
  reply: workerReplies,
  task_update: workerUpdatesTasks,
  send_agent_message: workerSends,
  list_pending_messages: workerReadsMessages,
};
