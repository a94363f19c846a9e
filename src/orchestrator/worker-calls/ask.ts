import * as z from "zod";
import { redactCredentials } from "../../redaction/redact.ts";
import { readCaller } from "../calls/read-caller.ts";
import { askAnotherQuestion } from "../approvals/ask-approval.ts";
import type { EngineCalls } from "../live/engine-calls.ts";
import type { Caller } from "../live/live-attempts.ts";
import { waitInline } from "../parked/wait-inline.ts";
import { identifyCaller, readFields, runWhileLive } from "./caller.ts";

const MAX_WAIT_SECONDS = 3600;
const askSchema = z.strictObject({
  question: z.string().min(1).max(4000),
  waitSeconds: z.number().min(0).max(MAX_WAIT_SECONDS).default(60),
});

export interface AnswerOrAdvice {
  readonly answer: string | null;
  readonly advice: string;
}

/** A worker asks its manager or the person; without an answer in time it should end its turn. */
export async function workerAsks(engine: EngineCalls, input: unknown): Promise<AnswerOrAdvice> {
  const { caller, fields } = identifyCaller(engine, input);
  const { question, waitSeconds } = readFields(askSchema, fields);
  return askAndWait(engine, caller, { question, details: [], waitSeconds });
}

export interface Asking {
  readonly question: string;
  readonly details: readonly string[];
  readonly waitSeconds: number;
  /** Called with the question's id before the wait begins. */
  readonly asked?: (id: string) => Promise<unknown>;
}

/** The same for a question that comes as a message. Credentials are removed from it. */
export async function askAndWait(
  engine: EngineCalls,
  caller: Caller,
  asking: Asking,
): Promise<AnswerOrAdvice> {
  const delegation = await readCaller(engine, caller);
  const asked = {
    kind: "clarification",
    question: redactCredentials(asking.question).text,
    details: asking.details.map((detail) => redactCredentials(detail).text),
  } as const;
  const id = await runWhileLive(engine, caller, async () => {
    const question = await askAnotherQuestion(engine.tools, delegation, asked);
    await asking.asked?.(question);
    return question;
  });
  const waited = await waitInline(engine.tools, {
    manager: delegation,
    waitingFor: [id],
    capMs: asking.waitSeconds * 1000,
    over: untilAnswered(engine, { delegation: delegation.id, id }),
    live: engine.live,
    lendSlot: (isLent) => engine.lendSlot(delegation.id, isLent),
  });
  const approval = (await engine.tools.store.approvalsOf(delegation.id)).find((one) => one.id === id);
  if (waited === "done" && approval?.answer === "replied") return { answer: approval.reason, advice: "" };
  const advice =
    waited === "done"
      ? "There was no answer. Use your best judgement and say what you assumed."
      : "The answer is still missing. End your turn now, without a return: you are resumed with the answer.";
  return { answer: null, advice };
}

/** The answer may have come before the wait began. */
async function untilAnswered(
  engine: EngineCalls,
  { delegation, id }: { readonly delegation: string; readonly id: string },
): Promise<void> {
  const told = engine.whenAnswered(id);
  const approvals = await engine.tools.store.approvalsOf(delegation);
  if (approvals.every((one) => one.id !== id || one.answer === null)) await told;
}
