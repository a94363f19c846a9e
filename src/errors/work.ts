import type { DelegationError } from "../base/delegation-error.ts";
import { excerpt } from "../base/visible-text.ts";
import type { ApprovalAnswer, ApprovalKind } from "../contract/approval.ts";
import { makeError } from "./make-error.ts";
import { usageError } from "./usage.ts";

/** Starting, steering and answering work. */
export const workErrors = {
  textTooLong: (what: string, length: number, max: number): DelegationError =>
    usageError(`${what} has ${length} characters`, `Use at most ${max}.`),
  emptyAnswer: (): DelegationError =>
    usageError("the answer is empty", "Answer the worker's question in words."),
  emptyMessage: (): DelegationError =>
    usageError("the message is empty", "Say in words what the worker should know."),
  noStoryToWriteTo: (word: string): DelegationError =>
    usageError(`there is no story yet to write to "${excerpt(word)}"`, "Start one with ambit run."),
  noOpenQuestion: (word: string): DelegationError =>
    makeError({
      code: "APPROVAL_NOT_FOUND",
      message: `Nothing about "${excerpt(word)}" waits for an answer.`,
      advice: "See what waits for you with ambit inbox.",
    }),
  alreadyAnswered: (question: {
    readonly id: string;
    readonly answer: ApprovalAnswer | null;
    readonly answeredBy: string | null;
    readonly reason: string;
  }): DelegationError =>
    makeError({
      code: "APPROVAL_NOT_FOUND",
      message: `${question.id} was already answered: ${question.answer ?? "no answer"} by ${question.answeredBy ?? "an unknown person"}${question.reason === "" ? "" : `: ${excerpt(question.reason)}`}`,
      advice: "The first answer counts. See what still waits with ambit inbox.",
    }),
  severalQuestions: (word: string, names: readonly string[]): DelegationError =>
    usageError(`"${word}" has ${names.length} open questions: ${names.join(", ")}`, "Name one of them."),
  wrongKindOfAnswer: (
    { id, kind }: { readonly id: string; readonly kind: ApprovalKind },
    inWords: boolean,
    commands: readonly string[],
  ): DelegationError =>
    usageError(
      `${id} (${kind}) needs ${inWords ? "a yes or a no, not words" : "words, not a yes or a no"}`,
      `Use ${commands.join(" or ")}.`,
    ),
};
