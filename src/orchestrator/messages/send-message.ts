import { DelegationError } from "../../base/delegation-error.ts";
import { messageSchema, parseMessage, type AgentMessage } from "../../contract/message.ts";
import { isRecord } from "../../contract/lenient.ts";
import type { Delegation } from "../../journal/store.ts";
import { findRecipient, type Recipient } from "../../mailbox/find-recipient.ts";
import { redactValue } from "../../mailbox/redact-credentials.ts";
import type { Engine } from "../engine.ts";
import { isOutside } from "../external-manager/rules.ts";
import { circleOf } from "./circle.ts";
import { markMessage } from "./mark-message.ts";
import { storeMessage, type SentMessage } from "./store-message.ts";
import { askBack } from "./ask-back.ts";

/** What a worker wants to say, as it came, and the one it is said to. */
export interface Addressed {
  readonly self: Delegation;
  readonly recipient: Exclude<Recipient, { readonly kind: "nobody" }>;
  readonly message: AgentMessage;
}

/** Finds its recipient; who sends it, only the caller's token says (R121). */
export async function address(
  engine: Engine,
  self: Delegation,
  { to, message }: { readonly to: string; readonly message: AgentMessage },
): Promise<Addressed> {
  const recipient = findRecipient(await circleOf(engine.tools, self), to, message.task_id);
  if (recipient.kind === "nobody") throw noRecipient(recipient.why);
  checkDirection(message, recipient);
  return { self, recipient, message };
}

/** Writes it down, and does at once what it asks of the runtime itself. */
export async function passOn(
  engine: Engine,
  { self, recipient, message }: Addressed,
): Promise<SentMessage & { readonly advice: string }> {
  const { tools } = engine;
  const worker = recipient.kind === "worker" ? await engine.read(recipient.id) : undefined;
  if (worker?.state === "closed") throw hasEnded(worker);
  if (recipient.kind === "person" && isOutside(self)) return atHand;
  const sent = await storeMessage(tools, { about: self, from: self.id, to: recipient.id, body: message });
  if (message.type === "task_progress" && !sent.isRepeated)
    await outdate(engine, { self, to: recipient.id, newest: sent.id });
  if ("in_reply_to" in message && message.in_reply_to !== undefined)
    await acknowledge(engine, self, message.in_reply_to);
  if (message.type === "ack") await acknowledge(engine, self, `${self.id}-assignment`);
  if (worker === undefined) return { ...sent, advice: adviceAfter(message) };
  return { ...sent, advice: await askBack(engine, worker, message) };
}

const atHand = {
  id: "",
  isRepeated: false,
  advice: "Tell the person you work for in your conversation; nothing was sent.",
} as const;

export interface ReadMessage {
  readonly message: AgentMessage;
  /** Credentials that were taken out before anybody could see them. */
  readonly redacted: number;
}

/** What is no message is refused with all that is wrong. Without a task it is about the sender's own. */
export function readMessage(given: unknown, self: Delegation): ReadMessage {
  const reading = parseMessage(withTask(given, self.todo ?? self.id));
  if (reading.status === "valid") {
    const { value, count } = redactValue(reading.message);
    return { message: messageSchema.parse(value), redacted: count };
  }
  const problems = reading.problems.map(({ code, message }) => `${code}: ${message}`).join("; ");
  throw new DelegationError({
    code: "MESSAGE_INVALID",
    message: `The message was not sent. ${problems}`,
    recommendation:
      'Send for example {"type":"task_progress","progress_summary":"87 of 127 tests pass"} or {"type":"clarification_request","question":"uuid or bigint?"}.',
    recoverable: true,
  });
}

function withTask(given: unknown, task: string): unknown {
  const value = typeof given === "string" ? parseJson(given) : given;
  return isRecord(value) && value["task_id"] === undefined ? { ...value, task_id: task } : given;
}

function parseJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    // Said with a code by whoever reads it next.
    return undefined;
  }
}

const fromManagers: ReadonlySet<string> = new Set(["task_assignment", "cancel"]);

function checkDirection({ type }: AgentMessage, { kind }: Recipient): void {
  if (kind === "worker" || !fromManagers.has(type)) return;
  throw new DelegationError({
    code: "MESSAGE_INVALID",
    message: `${type} goes from a manager to its worker, not to a ${kind}.`,
    recommendation: "Send clarification_request, task_status or task_progress instead; nothing was sent.",
    recoverable: true,
  });
}

/** Only the newest progress of a worker is news. */
async function outdate(
  engine: Engine,
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

async function acknowledge(engine: Engine, self: Delegation, id: string): Promise<void> {
  const known = await engine.tools.store.message(id);
  if (known === undefined || known.to !== self.id || known.state === "acknowledged") return;
  await markMessage(engine.tools, self, { id, state: "acknowledged" });
}

function adviceAfter({ type }: AgentMessage): string {
  return type === "task_completion"
    ? "Sent. It completes nothing: hand in your return, and the criteria are checked."
    : "Sent. Go on.";
}

function hasEnded({ id, outcome }: Delegation): DelegationError {
  return new DelegationError({
    code: "RECIPIENT_NOT_FOUND",
    message: `${id} has ended ${outcome ?? ""} and reads nothing any more.`,
    recommendation: "Look at its work with result and diff, or hand the task out again.",
    recoverable: true,
  });
}

function noRecipient(why: string): DelegationError {
  return new DelegationError({
    code: "RECIPIENT_NOT_FOUND",
    message: why,
    recommendation:
      "Write to manager, to person, or to one of your own workers by delegation_id or agent name.",
    recoverable: true,
  });
}
