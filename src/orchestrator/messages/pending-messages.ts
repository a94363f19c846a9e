import type { Delegation, Message } from "../../journal/store.ts";
import { fitLetters, letterLine } from "../../mailbox/message-rules.ts";
import type { RunTools } from "../ports/run-tools.ts";
import { markMessage } from "./mark-message.ts";
import { RUNTIME } from "./silent-worker.ts";

const MOST_READ = 100;

/** What waits to be told to a delegation, oldest first; what has settled itself meanwhile is put away. */
async function unreadOf(tools: RunTools, self: Delegation): Promise<readonly Message[]> {
  const pending = await tools.store.messages({ to: self.id, state: "pending", limit: MOST_READ });
  const unread: Message[] = [];
  for (const message of pending)
    if (message.id === assignmentOf(self))
      await markMessage(tools, self, { id: message.id, state: "delivered" });
    else if (await isStillNews(tools, message)) unread.push(message);
    else await markMessage(tools, self, { id: message.id, state: "dismissed" });
  return unread;
}

/** Its own task stands in its prompt. */
function assignmentOf({ id }: Delegation): string {
  return `${id}-assignment`;
}

/** A question that was answered asks nobody any more. */
async function isStillNews(tools: RunTools, { id, from }: Message): Promise<boolean> {
  const asked = (await tools.store.approvalsOf(from)).find((one) => one.id === id);
  return asked === undefined || asked.answer === null;
}

/** What is a result of its workers is told with the results. */
export async function countUnread(tools: RunTools, self: Delegation): Promise<number> {
  const pending = await tools.store.messages({ to: self.id, state: "pending", limit: MOST_READ });
  return pending.filter(({ id }) => !id.endsWith("-completion") && id !== assignmentOf(self)).length;
}

/** Hands over as many as fit and marks them as told in this attempt. */
export async function takeUnread(tools: RunTools, self: Delegation): Promise<readonly Message[]> {
  const told = fitLetters(await unreadOf(tools, self));
  for (const { id } of told) await markMessage(tools, self, { id, state: "delivered" });
  return told;
}

/** What came since its last turn, for its prompt. Results of workers are told by themselves (R173). */
export async function messageNews(tools: RunTools, self: Delegation): Promise<readonly string[]> {
  const told = await takeUnread(tools, self);
  const lines = told.filter((message) => !isToldElsewhere(self, message)).map(letterLine);
  if (lines.length === 0) return [];
  return [["Messages for you:", ...lines].join("\n")];
}

/** Its workers' results come as results, and whether it is still there is answered by its next turn. */
function isToldElsewhere({ waitingFor }: Delegation, { id, from, body }: Message): boolean {
  if (from === RUNTIME && body["type"] === "clarification_request") return true;
  return waitingFor.some((worker) => id === `${worker}-completion`);
}

const worthATurn: ReadonlySet<unknown> = new Set(["answer", "clarification_request", "task_assignment"]);

/** Whether somebody has asked or told it something it has not read, and that it should before its work counts. */
export async function hasUnreadRequest(tools: RunTools, self: Delegation): Promise<boolean> {
  const unread = await unreadOf(tools, self);
  return unread.some(
    ({ from, body }) => from !== RUNTIME && !from.startsWith(`${self.id}-`) && worthATurn.has(body["type"]),
  );
}
