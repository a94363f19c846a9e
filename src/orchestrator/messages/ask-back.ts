import type { AgentMessage } from "../../contract/message.ts";
import type { Delegation } from "../../journal/store.ts";
import type { EngineCalls } from "../live/engine-calls.ts";
import { recordEvent } from "../delegation/record.ts";
import { mayTakeTurn } from "../delegation/turn-limits.ts";

/**
 * A manager that cannot verify asks its worker (R127). A worker that has returned and waits for the manager's decision
 * gets another turn for it; every other worker reads the message in its present or its next turn.
 */
export async function askWorkerBack(
  engine: EngineCalls,
  worker: Delegation,
  message: AgentMessage,
): Promise<string> {
  if (message.type !== "clarification_request" && message.type !== "answer") return "Sent.";
  if (worker.state === "running") return "Sent. It reads it with list_pending_messages, or in its next turn.";
  if (worker.state !== "returned") return "Sent. It reads it in its next turn.";
  const open = (await engine.tools.store.approvalsOf(worker.id)).find(
    ({ kind, answer }) => kind === "criterion" && answer === null,
  );
  if (open === undefined) return "Sent, but it has returned: its work is being checked now.";
  if (!mayTakeTurn(worker, "answer")) return "Sent, but it has used up its turns: decide with verify.";
  const data = { reason: "Its manager asked back", kind: "answer" as const };
  await recordEvent(engine.tools, worker, { type: "attempt-retried", data });
  await engine.answer(open.id, { answer: "expired", by: "ambit", reason: "its worker was asked first" });
  return "Sent. It gets another turn to answer; wait for it, then decide.";
}
