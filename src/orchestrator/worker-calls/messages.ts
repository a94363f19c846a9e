import * as z from "zod";
import type { AgentMessage } from "../../contract/message.ts";
import type { Message } from "../../journal/store.ts";
import { readCaller } from "../calls/read-caller.ts";
import type { EngineCalls } from "../live/engine-calls.ts";
import type { Caller } from "../live/live-attempts.ts";
import { markMessage } from "../messages/mark-message.ts";
import { deliverUnread } from "../messages/pending-messages.ts";
import { addressMessage, deliverMessage, readMessage, type Addressed } from "../messages/send-message.ts";
import { storeMessage } from "../messages/store-message.ts";
import { isExternalManager } from "../delegation/kind.ts";
import { readTodoList } from "../todos/read-todos.ts";
import { askAndWait } from "./ask.ts";
import { identifyCaller, readFields, runWhileLive } from "./caller.ts";
import { updateTodos } from "./task-update.ts";

const MAX_WAIT_SECONDS = 3600;
const sendSchema = z.strictObject({
  to: z.string().min(1).max(400).default("manager"),
  message: z.unknown(),
  waitSeconds: z.number().min(0).max(MAX_WAIT_SECONDS).default(60),
});
const listSchema = z.strictObject({ all: z.boolean().default(false) });

/**
 * Sends one message to the caller's manager, the person, or one of its workers. A question or a blocker waits for an
 * answer, an assignment delegates a task, and a cancellation stops its worker. Everything else is stored until the
 * recipient reads its messages, at the latest in its next turn.
 */
export async function workerSends(engine: EngineCalls, input: unknown): Promise<object> {
  const { caller, fields } = identifyCaller(engine, input);
  const { to, message: given, waitSeconds } = readFields(sendSchema, fields);
  const self = await readCaller(engine, caller);
  const { message, redacted } = readMessage(given, self);
  if (message.type === "task_assignment") return assignTask(engine, caller, { to, message });
  const addressed = await addressMessage(engine, self, { to, message });
  if (isQuestion(addressed)) return askAsMessage(engine, caller, { ...addressed, waitSeconds });
  if (message.type === "cancel")
    return cancelWorker(engine, caller, { ...addressed, reason: message.reason });
  const question = await findOpenQuestion(engine, addressed);
  if (message.type === "answer" && question !== undefined)
    await runWhileLive(engine, caller, () =>
      engine.answer(question, { answer: "replied", by: caller.id, reason: message.answer, speaker: caller }),
    );
  const sent = await runWhileLive(engine, caller, () => deliverMessage(engine, addressed));
  if (question !== undefined) await markAnswer(engine, addressed, sent.id);
  return {
    message_id: sent.id,
    to: addressed.recipient.id,
    repeated: sent.isRepeated,
    redacted,
    advice: question === undefined ? sent.advice : "Answered. It continues.",
  };
}

type Assignment = Extract<AgentMessage, { readonly type: "task_assignment" }>;

/** Sending it again to the worker that has the task does not delegate it twice (R175). */
async function assignTask(
  engine: EngineCalls,
  caller: Caller,
  { to, message }: { readonly to: string; readonly message: Assignment },
): Promise<object> {
  const { views } = await readTodoList(engine.tools, await readCaller(engine, caller));
  const known = views.find(({ id }) => id === message.task_id);
  if (known?.worker !== null && known !== undefined && known.worker.state !== "closed")
    return {
      message_id: `${known.worker.id}-assignment`,
      to: known.worker.id,
      repeated: true,
      redacted: 0,
      advice: `${known.worker.id} is already working on ${known.id}.`,
    };
  const { task_id: id, content, acceptance_criteria, context, priority } = message;
  const activeForm = known?.activeForm ?? `Delegating ${content}`;
  const wanted = { id, content, activeForm, status: "delegated", delegated_to: to, acceptance_criteria };
  return updateTodos(engine, caller, [{ ...wanted, context, priority }]);
}

/** Messages whose sender cannot continue without an answer. */
function isQuestion({ message, recipient }: Addressed): boolean {
  const isUpwards = recipient.kind !== "worker";
  return isUpwards && (message.type === "clarification_request" || message.type === "task_status");
}

async function askAsMessage(
  engine: EngineCalls,
  caller: Caller,
  { self, recipient, message, waitSeconds }: Addressed & { readonly waitSeconds: number },
): Promise<object> {
  if (isExternalManager(self))
    return { answer: null, advice: "Ask the person you work for, in your conversation.", message_id: "" };
  let id = "";
  const answered = await askAndWait(engine, caller, {
    ...readQuestion(message),
    waitSeconds,
    asked: async (question) => {
      id = question;
      const about = { about: self, from: self.id, to: recipient.id, speaker: caller };
      await storeMessage(engine.tools, { ...about, body: message, id: question });
    },
  });
  return { message_id: id, to: recipient.id, ...answered };
}

const MAX_QUESTION_LENGTH = 4000;

function readQuestion(message: AgentMessage): {
  readonly question: string;
  readonly details: readonly string[];
} {
  if (message.type === "clarification_request")
    return { question: message.question.slice(0, MAX_QUESTION_LENGTH), details: [] };
  if (message.type !== "task_status") throw new TypeError(`${message.type} asks nothing`);
  const { blocker, requested_action: action = "", attempted_solutions: tried } = message;
  const question = action === "" ? `Blocked: ${blocker}` : `Blocked: ${blocker}. Asks for: ${action}`;
  return {
    question: question.slice(0, MAX_QUESTION_LENGTH),
    details: tried.slice(0, 20).map((text) => `tried: ${text}`.slice(0, MAX_QUESTION_LENGTH)),
  };
}

async function cancelWorker(
  engine: EngineCalls,
  caller: Caller,
  { self, recipient, message, reason }: Addressed & { readonly reason: string },
): Promise<object> {
  const { ended, sent } = await runWhileLive(engine, caller, async () => {
    const worker = await engine.read(recipient.id);
    const about = { about: self, from: self.id, to: recipient.id, speaker: caller };
    const stored = await storeMessage(engine.tools, { ...about, body: message });
    const isClosed = worker.state === "closed";
    return {
      sent: stored,
      ended: isClosed ? undefined : engine.stop(worker.id, { reason, by: caller.id, speaker: caller }),
    };
  });
  await ended;
  const { outcome } = await engine.read(recipient.id);
  return { message_id: sent.id, to: recipient.id, stopped: ended !== undefined, outcome };
}

/** The question an answer settles: the one it names, or the only one its recipient has. */
async function findOpenQuestion(
  engine: EngineCalls,
  { message, recipient }: Addressed,
): Promise<string | undefined> {
  if (message.type !== "answer" || recipient.kind !== "worker") return undefined;
  const open = (await engine.tools.store.approvalsOf(recipient.id)).filter(
    ({ kind, answer }) => kind === "clarification" && answer === null,
  );
  const named = open.find(({ id }) => id === message.in_reply_to);
  return (named ?? open.at(0))?.id;
}

/** Its worker gets it as the answer to its question; as a message it would arrive twice. */
async function markAnswer(engine: EngineCalls, { self, recipient }: Addressed, id: string): Promise<void> {
  const worker = await engine.read(recipient.id);
  await markMessage(engine.tools, { ...worker, attempt: 0, speaker: self }, { id, state: "acknowledged" });
}

/** Delivers every unread message of the caller. */
export async function workerReadsMessages(engine: EngineCalls, input: unknown): Promise<object> {
  const { caller, fields } = identifyCaller(engine, input);
  const { all } = readFields(listSchema, fields);
  return runWhileLive(engine, caller, async () => {
    const self = await readCaller(engine, caller);
    const unread = await deliverUnread(engine.tools, self);
    const earlier = all ? await engine.tools.store.messages({ to: self.id, limit: MAX_SHOWN }) : [];
    const told = new Map([...earlier, ...unread].map((message) => [message.id, message]));
    return { messages: [...told.values()].map(describeMessage) };
  });
}

const MAX_SHOWN = 50;

function describeMessage({ id, from, body, sentAt }: Message): object {
  const isAsked = body["type"] === "clarification_request" || body["type"] === "task_status";
  return { id, from, sent_at: sentAt, message: body, ...(isAsked ? { answer_with: "reply" } : {}) };
}
