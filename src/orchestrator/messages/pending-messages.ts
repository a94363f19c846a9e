import type { Delegation, Message } from "../../journal/store.ts";
import { fitLetters, renderLetterLine } from "../../mailbox/message-rules.ts";
import type { RunTools } from "../ports/run-tools.ts";
import { PERSON } from "../../mailbox/find-recipient.ts";
import { quoteAsData } from "../delegation/data-block.ts";
import { markMessage } from "./mark-message.ts";
import { RUNTIME } from "./silent-worker.ts";

const MAX_READ = 100;

/** The unread messages of a delegation, oldest first; those that were settled meanwhile are dismissed. */
async function listUnread(tools: RunTools, self: Delegation): Promise<readonly Message[]> {
  const pending = await tools.store.messages({ to: self.id, state: "pending", limit: MAX_READ });
  const unread: Message[] = [];
  for (const message of pending)
    if (message.id === nameAssignment(self))
      await markMessage(tools, self, { id: message.id, state: "delivered" });
    else if (await isStillNews(tools, message)) unread.push(message);
    else await markMessage(tools, self, { id: message.id, state: "dismissed" });
  return unread;
}

/** The message with its own task, which its prompt contains already. */
function nameAssignment({ id }: Delegation): string {
  return `${id}-assignment`;
}

/** An answered question needs no reader. */
async function isStillNews(tools: RunTools, { id, from }: Message): Promise<boolean> {
  const asked = (await tools.store.approvalsOf(from)).find((one) => one.id === id);
  return asked === undefined || asked.answer === null;
}

/** Leaves out the results of its workers, which it gets as results. */
export async function countUnread(tools: RunTools, self: Delegation): Promise<number> {
  const pending = await tools.store.messages({ to: self.id, state: "pending", limit: MAX_READ });
  return pending.filter(({ id }) => !id.endsWith("-completion") && id !== nameAssignment(self)).length;
}

/** Delivers as many as fit and marks them as delivered in this attempt. */
export async function deliverUnread(tools: RunTools, self: Delegation): Promise<readonly Message[]> {
  const told = fitLetters(await listUnread(tools, self));
  for (const { id } of told) await markMessage(tools, self, { id, state: "delivered" });
  return told;
}

/** The messages since its last turn, for its prompt. Workers' results are listed separately (R173). */
export async function describeMessages(tools: RunTools, self: Delegation): Promise<readonly string[]> {
  const told = await deliverUnread(tools, self);
  const news = told.filter((message) => !isToldElsewhere(self, message));
  const orders = news.filter((message) => isOrder(self, message)).map(renderLetterLine);
  const others = news.filter((message) => !isOrder(self, message)).map(renderLetterLine);
  return [
    ...(orders.length === 0 ? [] : [["Your task was changed:", ...orders].join("\n")]),
    ...(others.length === 0 ? [] : [`Messages for you:\n${quoteAsData("messages", others.join("\n"))}`]),
  ];
}

const orderTypes: ReadonlySet<unknown> = new Set(["task_assignment", "cancel"]);

/** Its manager and the person may change its task. All other messages only inform. */
function isOrder({ parent }: Delegation, { from, body }: Message): boolean {
  return (from === parent || from === PERSON) && orderTypes.has(body["type"]);
}

/** Workers' results come as results, and the runtime's question about silence is answered by the next turn itself. */
function isToldElsewhere({ waitingFor }: Delegation, { id, from, body }: Message): boolean {
  if (from === RUNTIME && body["type"] === "clarification_request") return true;
  return waitingFor.some((worker) => id === `${worker}-completion`);
}

const worthATurn: ReadonlySet<unknown> = new Set(["answer", "clarification_request", "task_assignment"]);

/** Whether it has unread questions, answers or assignments, which it should read before its work counts. */
export async function hasUnreadRequest(tools: RunTools, self: Delegation): Promise<boolean> {
  const unread = await listUnread(tools, self);
  return unread.some(
    ({ from, body }) => from !== RUNTIME && !from.startsWith(`${self.id}-`) && worthATurn.has(body["type"]),
  );
}
