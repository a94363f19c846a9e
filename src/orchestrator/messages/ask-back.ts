import type { AgentMessage } from "../../contract/message.ts";
import type { Delegation } from "../../journal/store.ts";
import type { Engine } from "../engine.ts";
import { mayTurn } from "../running/judge/next-step.ts";

/**
 * A manager that cannot verify asks its worker (R127). One that has returned and waits for the manager's word gets
 * another turn for it; every other one reads the message in the turn it has, or in its next.
 */
export async function askBack(engine: Engine, worker: Delegation, message: AgentMessage): Promise<string> {
  if (message.type !== "clarification_request" && message.type !== "answer") return "Sent.";
  if (worker.state === "running") return "Sent. It reads it with list_pending_messages, or in its next turn.";
  if (worker.state !== "returned") return "Sent. It reads it in its next turn.";
  const open = (await engine.tools.store.approvalsOf(worker.id)).find(
    ({ kind, answer }) => kind === "criterion" && answer === null,
  );
  if (open === undefined) return "Sent, but it has returned: its work is being checked now.";
  if (!mayTurn(worker, "answer")) return "Sent, but it has had all its turns: decide with verify.";
  const { id, story, attempt } = worker;
  const data = { reason: "Its manager asked back", kind: "answer" as const };
  await engine.tools.store.record({ type: "attempt-retried", story, delegation: id, attempt, data });
  await engine.answer(open.id, { answer: "expired", by: "ambit", reason: "its worker was asked first" });
  return "Sent. It gets another turn to answer; wait for it, then decide.";
}
