import type { ApprovalAnswer } from "../../../contract/approval.ts";
import { exitCode } from "../../../contract/exit-code.ts";
import type { CommandContext, CommandOutcome, Invocation } from "../../command-module.ts";
import { usage } from "../../option-values.ts";
import { renderVerdict } from "../../render/verdict.ts";
import { readStore } from "../../../app/open-project.ts";
import { onlyPeople } from "./only-people.ts";
import { findQuestion, type OpenQuestion } from "./open-questions.ts";
import { startedSupervisor } from "./project-supervisor.ts";

export function approve(context: CommandContext, invocation: Invocation): Promise<CommandOutcome> {
  return answerQuestion(context, {
    word: invocation.argument("id"),
    answer: "approved",
    reason: invocation.option("reason") ?? "",
  });
}

export function reject(context: CommandContext, invocation: Invocation): Promise<CommandOutcome> {
  return answerQuestion(context, {
    word: invocation.argument("id"),
    answer: "rejected",
    reason: invocation.option("reason") ?? "",
  });
}

/** Several words are one text, so that quotes may be left out. */
export function reply(context: CommandContext, invocation: Invocation): Promise<CommandOutcome> {
  const reason = invocation.argumentList("text").join(" ").trim();
  if (reason === "") throw usage("the answer is empty", "Say in words what the worker asked for.");
  return answerQuestion(context, { word: invocation.argument("id"), answer: "replied", reason });
}

interface Answer {
  readonly word: string;
  readonly answer: Exclude<ApprovalAnswer, "expired">;
  readonly reason: string;
}

const LONGEST_REASON = 4000;

/** Everything is checked before a supervisor is started, so that a wrong word changes nothing. */
async function answerQuestion(
  context: CommandContext,
  { word, answer, reason }: Answer,
): Promise<CommandOutcome> {
  onlyPeople(context, "never answers a question");
  if (reason.length > LONGEST_REASON)
    throw usage(`the text has ${reason.length} characters`, `Use at most ${LONGEST_REASON}.`);
  const question = await readStore(context, (reader) => findQuestion(reader, word, answer === "replied"));
  const approval = question.approval.id;
  const client = await startedSupervisor(context);
  try {
    await client.call("answer", { approval, answer, reason, by: "person" });
  } finally {
    client.close();
  }
  return describeAnswer(context, question, answer);
}

const consequences: Readonly<Record<Answer["answer"], string>> = {
  approved: "goes on",
  replied: "goes on with your answer",
  rejected: "ends here; what it did is kept",
};

function describeAnswer(
  context: CommandContext,
  { approval, delegation }: OpenQuestion,
  answer: Answer["answer"],
): CommandOutcome {
  const { id, story, kind } = approval;
  const message = `${answer} ${id}: ${delegation.id} ${consequences[answer]}`;
  const line = renderVerdict({ ok: true, message }, context);
  return {
    exitCode: exitCode.completed,
    json: { approval: id, delegation: delegation.id, story, kind, answer },
    text: `${line}\n  watch  ambit attach ${story}`,
  };
}
