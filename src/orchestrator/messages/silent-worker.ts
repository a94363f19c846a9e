import type { Delegation } from "../../journal/store.ts";
import type { RunTools } from "../ports/run-tools.ts";
import { storeMessage } from "./store-message.ts";

/** Who sends what nobody said. */
export const RUNTIME = "ambit";

/**
 * A worker that writes nothing is asked, and its manager told, before it is stopped (R126, R193). The journal says so,
 * which is what everybody who watches sees.
 */
export async function askSilentWorker(tools: RunTools, worker: Delegation, idleMs: number): Promise<void> {
  const { id, story, attempt, parent } = worker;
  const limits = (await tools.store.story(story))?.limits;
  const stop = limits === undefined ? "" : ` It is stopped after ${limits.idleStopSeconds} s.`;
  const seconds = Math.round(idleMs / 1000);
  const message = `${id} has written nothing for ${seconds} s.${stop}`;
  const data = { code: "STALLED", message };
  await tools.store.record({ type: "limit-warned", story, delegation: id, attempt, data });
  const question = `You have been silent for ${seconds} s. Say where you stand with task_progress, or hand in what you have.`;
  const ping = { type: "clarification_request", task_id: worker.todo ?? id, question };
  await storeMessage(tools, { about: worker, from: RUNTIME, to: id, body: ping });
  const news = { type: "task_progress", task_id: worker.todo ?? id, progress_summary: message };
  await storeMessage(tools, { about: worker, from: RUNTIME, to: parent ?? "person", body: news });
}
