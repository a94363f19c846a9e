import type { Delegation } from "../../journal/store.ts";
import { recordEvent } from "../delegation/record.ts";
import type { RunTools } from "../ports/run-tools.ts";
import { RUNTIME } from "./silent-worker.ts";
import { storeMessage } from "./store-message.ts";

/** Warns a worker that repeats the same calls, and tells its manager, before it is stopped. */
export async function warnLoopingWorker(tools: RunTools, worker: Delegation): Promise<void> {
  const { id, parent } = worker;
  const task_id = worker.todo ?? id;
  const message = `${id} repeats the same tool calls. It is stopped if it continues.`;
  await recordEvent(tools, worker, { type: "limit-warned", data: { code: "AGENT_LOOPED", message } });
  const question =
    "You repeat the same tool calls with the same input. What do you expect to change? Do something else, or submit what you have.";
  const body = { type: "clarification_request", task_id, question };
  await storeMessage(tools, { about: worker, speaker: worker, from: RUNTIME, to: id, body });
  const news = { type: "task_progress", task_id, progress_summary: message };
  await storeMessage(tools, {
    about: worker,
    speaker: worker,
    from: RUNTIME,
    to: parent ?? "person",
    body: news,
  });
}
