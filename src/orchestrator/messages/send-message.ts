import { messageSchema, parseMessage, type AgentMessage } from "../../contract/message.ts";
import { isRecord, parseJson } from "../../base/json.ts";
import { mailboxErrors } from "../../errors/mailbox.ts";
import type { Delegation } from "../../journal/store.ts";
import { findRecipient, type Circle, type Recipient } from "../../mailbox/find-recipient.ts";
import { redactValue } from "../../redaction/redact.ts";
import type { EngineCalls } from "../live/engine-calls.ts";
import { isExternalManager } from "../delegation/kind.ts";
import { recordEvent } from "../delegation/record.ts";
import { mayTakeTurn } from "../delegation/turn-limits.ts";
import type { RunTools } from "../ports/run-tools.ts";
import { markMessage } from "./mark-message.ts";
import { storeMessage, type SentMessage } from "./store-message.ts";

/** A message with its sender and its recipient. */
export interface Addressed {
  readonly self: Delegation;
  readonly recipient: Exclude<Recipient, { readonly kind: "unknown" }>;
  readonly message: AgentMessage;
}

/** Finds the recipient of a message; only the caller's token decides who sends it (R121). */
export async function addressMessage(
  engine: EngineCalls,
  self: Delegation,
  { to, message }: { readonly to: string; readonly message: AgentMessage },
): Promise<Addressed> {
  const recipient = findRecipient(await readCircle(engine.tools, self), to, message.task_id);
  if (recipient.kind === "unknown") throw mailboxErrors.noRecipient(recipient.why);
  checkDirection(message, recipient);
  return { self, recipient, message };
}

/** Stores the message, and carries out at once a request to the runtime itself. */
export async function deliverMessage(
  engine: EngineCalls,
  { self, recipient, message }: Addressed,
): Promise<SentMessage & { readonly advice: string }> {
  const { tools } = engine;
  const worker = recipient.kind === "worker" ? await engine.read(recipient.id) : undefined;
  if (worker?.state === "closed") throw mailboxErrors.recipientEnded(worker.id, worker.outcome ?? "");
  if (recipient.kind === "person" && isExternalManager(self)) return tellPersonDirectly;
  const sent = await storeMessage(tools, {
    about: self,
    from: self.id,
    to: recipient.id,
    body: message,
    speaker: self,
  });
  if (message.type === "task_progress" && !sent.isRepeated)
    await dismissOlderProgress(engine, { self, to: recipient.id, newest: sent.id });
  if ("in_reply_to" in message && message.in_reply_to !== undefined)
    await acknowledge(engine, self, message.in_reply_to);
  if (message.type === "ack") await acknowledge(engine, self, `${self.id}-assignment`);
  if (worker === undefined) return { ...sent, advice: adviseSender(message) };
  return { ...sent, advice: await askWorkerBack(engine, worker, message) };
}

const tellPersonDirectly = {
  id: "",
  isRepeated: false,
  advice: "Tell the person you work for in your conversation; nothing was sent.",
} as const;

export interface ReadMessage {
  readonly message: AgentMessage;
  /** How many credentials were removed before the message was stored. */
  readonly redacted: number;
}

/** Refuses an invalid message with all its problems. Without a task it is about the sender's own. */
export function readMessage(given: unknown, self: Delegation): ReadMessage {
  const reading = parseMessage(addMissingTask(given, self.todo ?? self.id));
  if (reading.status === "valid") {
    const { value, count } = redactValue(reading.message);
    return { message: messageSchema.parse(value), redacted: count };
  }
  const problems = reading.problems.map(({ code, message }) => `${code}: ${message}`).join("; ");
  throw mailboxErrors.unusableMessage(problems);
}

function addMissingTask(given: unknown, task: string): unknown {
  const value = typeof given === "string" ? parseJson(given) : given;
  return isRecord(value) && value["task_id"] === undefined ? { ...value, task_id: task } : given;
}

const fromManagers: ReadonlySet<string> = new Set(["task_assignment", "cancel"]);

function checkDirection({ type }: AgentMessage, { kind }: Recipient): void {
  if (kind === "worker" || !fromManagers.has(type)) return;
  throw mailboxErrors.wrongDirection(type, kind);
}

/** Only a worker's newest progress matters. */
async function dismissOlderProgress(
  engine: EngineCalls,
  { self, to, newest }: { readonly self: Delegation; readonly to: string; readonly newest: string },
): Promise<void> {
  const pending = await engine.tools.store.messages({
    story: self.story,
    from: self.id,
    to,
    state: "pending",
    limit: 100,
  });
  for (const { id, body } of pending)
    if (id !== newest && body["type"] === "task_progress")
      await markMessage(engine.tools, self, { id, state: "dismissed" });
}

async function acknowledge(engine: EngineCalls, self: Delegation, id: string): Promise<void> {
  const known = await engine.tools.store.message(id);
  if (known === undefined || known.to !== self.id || known.state === "acknowledged") return;
  await markMessage(engine.tools, self, { id, state: "acknowledged" });
}

function adviseSender({ type }: AgentMessage): string {
  return type === "task_completion"
    ? "Sent. It completes nothing: submit your return, and the criteria are checked."
    : "Sent. Continue.";
}

/**
 * A manager that cannot verify asks its worker (R127). A worker that has returned and waits for the manager's decision
 * gets another turn for it; every other worker reads the message in its present or its next turn.
 */
async function askWorkerBack(
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

/** The delegations that a delegation may write to: its manager and its workers. */
async function readCircle(tools: RunTools, self: Delegation): Promise<Circle> {
  const manager = self.parent === null ? undefined : await tools.store.delegation(self.parent);
  const tree = self.workers === 0 ? [] : await tools.store.storyTree(self.story);
  return {
    self: self.id,
    manager: manager === undefined ? null : { id: manager.id, agent: manager.agent },
    workers: tree
      .filter(({ parent }) => parent === self.id)
      .map(({ id, agent, todo, state }) => ({ id, agent, todo, isOpen: state !== "closed" })),
  };
}
