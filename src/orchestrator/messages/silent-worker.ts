import type { Delegation } from "../../journal/store.ts";
import { recordEvent } from "../delegation/record.ts";
import type { RunTools } from "../ports/run-tools.ts";
import { storeMessage } from "./store-message.ts";

/** Sender of messages the runtime writes itself. */
export const RUNTIME = "ambit";

/** Asks a silent worker, and tells its manager, before it is stopped (R126, R193). The journal shows it to watchers. */
export async function askSilentWorker(tools: RunTools, worker: Delegation, idleMs: number): Promise<void> {
  const { id, story, parent } = worker;
  const limits = (await tools.store.story(story))?.limits;
  const stop = limits === undefined ? "" : ` It is stopped after ${limits.idleStopSeconds} s.`;
  const seconds = Math.round(idleMs / 1000);
  const message = `${id} has written nothing for ${seconds} s.${stop}`;
  const data = { code: "STALLED", message };
  await recordEvent(tools, worker, { type: "limit-warned", data });
  const question = `You have been silent for ${seconds} s. Report your status with task_progress, or submit what you have.`;
  const ping = { type: "clarification_request", task_id: worker.todo ?? id, question };
  await storeMessage(tools, { about: worker, speaker: worker, from: RUNTIME, to: id, body: ping });
  const news = { type: "task_progress", task_id: worker.todo ?? id, progress_summary: message };
  await storeMessage(tools, {
    about: worker,
    speaker: worker,
    from: RUNTIME,
    to: parent ?? "person",
    body: news,
  });
}
