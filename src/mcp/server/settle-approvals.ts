import {
  inputRequired,
  inputResponse,
  type InputRequests,
  type InputRequiredResult,
} from "@modelcontextprotocol/server";
import { isRecord } from "../../base/json.ts";
import type { RuntimeLink } from "../../app/runtime-link.ts";

/** A question to a person, from the answer of a runtime call. */
export interface PersonQuestion {
  readonly id: string;
  readonly question: string;
  readonly details: readonly string[];
}

/** The questions in an answer that only a person can settle. */
export function personQuestions(value: Readonly<Record<string, unknown>>): readonly PersonQuestion[] {
  const questions: unknown = value["questions"];
  if (!Array.isArray(questions)) return [];
  return questions.flatMap((one: unknown) => {
    if (!isRecord(one) || one["answer_with"] !== "person") return [];
    const { id, question, details } = one;
    if (typeof id !== "string" || typeof question !== "string") return [];
    const told: readonly unknown[] = Array.isArray(details) ? details : [];
    return [{ id, question, details: told.filter((line) => typeof line === "string") }];
  });
}

/** Asks the person through the client; `state` comes back with the answers. */
export function askPerson(questions: readonly PersonQuestion[], state: string): InputRequiredResult {
  const inputRequests: InputRequests = {};
  for (const { id, question, details } of questions.slice(0, MAX_QUESTIONS))
    inputRequests[id] = inputRequired.elicit({
      message: [question, ...details.slice(0, MAX_DETAILS)].join("\n"),
      requestedSchema: {
        type: "object",
        properties: { approve: { type: "boolean", title: "Approve" } },
        required: ["approve"],
      },
    });
  return inputRequired({ inputRequests, requestState: state });
}

const MAX_QUESTIONS = 5;
const MAX_DETAILS = 20;

/**
 * Passes the person's answers on. Only questions that are open in this story now are answered; closing the form answers
 * nothing.
 */
export async function passAnswers(
  link: RuntimeLink,
  responses: Readonly<Record<string, unknown>>,
): Promise<void> {
  if (link.answer === undefined) return;
  const status = await link.call("status", { hasPerson: true });
  const open = personQuestions(isRecord(status) ? status : {});
  for (const { id } of open) {
    const answer = readAnswer({ ...responses }, id);
    if (answer !== undefined) await link.answer(id, answer);
  }
}

function readAnswer(responses: Record<string, unknown>, id: string): boolean | undefined {
  const view = inputResponse(responses, id);
  if (view.kind !== "elicit" || view.action === "cancel") return undefined;
  if (view.action === "decline") return false;
  const content: unknown = view.content;
  return isRecord(content) && content["approve"] === true;
}
