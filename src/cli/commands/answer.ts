import type { Command } from "commander";
import { systemClock } from "../../base/clock.ts";
import { exitCode } from "../../contract/exit-code.ts";
import type { Act, CommandContext, CommandOutcome, Invocation } from "../input/command-module.ts";
import { isAgreed } from "../input/ask-person.ts";
import { renderVerdict } from "../render/verdict.ts";
import { paint } from "../terminal/paint.ts";
import { terminalWidth } from "../terminal/terminal-width.ts";

/** Declares `approve`, `reject` or `reply`. */
export function register(command: Command, act: Act): void {
  switch (command.name()) {
    case "approve":
      return registerApprove(command, act);
    case "reject":
      return registerReject(command, act);
    default:
      return registerReply(command, act);
  }
}

const QUESTION = "a question, or work that has exactly one open question";

function registerApprove(command: Command, act: Act): void {
  command
    .description("Approve a pending request: a cost, paths, a criterion. Shows the changes first.")
    .argument("<id>", QUESTION)
    .option("--reason <text>", "written into the journal")
    .action(act((context, invocation) => answerWithReason(context, invocation, "approved")))
    .addHelpText("after", '\nExample:\n  ambit approve S-4k2m9x --reason "The lockfile change is intended"');
}

function registerReject(command: Command, act: Act): void {
  command
    .description("Reject a pending request. The work stays on its branch, unmerged.")
    .argument("<id>", QUESTION)
    .option("--reason <text>", "written into the journal and sent to the manager")
    .action(act((context, invocation) => answerWithReason(context, invocation, "rejected")))
    .addHelpText("after", '\nExample:\n  ambit reject S-4k2m9x --reason "Do not touch the CI files"');
}

function answerWithReason(
  context: CommandContext,
  invocation: Invocation,
  answer: "approved" | "rejected",
): Promise<CommandOutcome> {
  const given = { id: invocation.argument("id"), answer, reason: invocation.option("reason") };
  return answer === "approved" && context.input() && !context.yes && !context.json
    ? approveWithLook(context, given)
    : answerQuestion(context, given);
}

/** A person at a terminal sees what is approved before it is. */
async function approveWithLook(context: CommandContext, given: GivenAnswer): Promise<CommandOutcome> {
  const { inboxUseCase } = await import("../../app/inbox.ts");
  const [question] = (await inboxUseCase.run(context, { id: given.id })).questions;
  const isBlind = question === undefined || question.changes === null || question.kind === "clarification";
  if (isBlind) return answerQuestion(context, given);
  const { renderQuestion } = await import("../render/inbox.ts");
  const { ascii } = context;
  const style = { nowMs: systemClock.wallMs(), ascii, paint: paint(context.color("stderr")) };
  const width = terminalWidth(context.environment);
  context.show(renderQuestion({ ...question, answer_with: [] }, { ...style, width }));
  if (await isAgreed(context, "Approve it?")) return answerQuestion(context, { ...given, id: question.id });
  const json = { approval: question.id, story: question.story, status: "declined" };
  return { exitCode: exitCode.failed, json, text: "Nothing was answered." };
}

function registerReply(command: Command, act: Act): void {
  command
    .description("Answer a worker's question in words; it continues with your answer.")
    .argument("<id>", QUESTION)
    .argument("<text...>", "the answer; put -- before text that starts with -")
    .action(
      act((context, invocation) => {
        // Several words are one text, so that quotes may be omitted.
        const reason = invocation.argumentList("text").join(" ").trim();
        return answerQuestion(context, { id: invocation.argument("id"), answer: "replied", reason });
      }),
    )
    .addHelpText("after", '\nExample:\n  ambit reply S-4k2m9x "Use uuid"');
}

interface GivenAnswer {
  readonly id: string;
  readonly answer: "approved" | "rejected" | "replied";
  readonly reason: string | undefined;
}

const consequences: Readonly<Record<GivenAnswer["answer"], string>> = {
  approved: "continues",
  replied: "continues with your answer",
  rejected: "ends here; its work is kept",
};

async function answerQuestion(context: CommandContext, given: GivenAnswer): Promise<CommandOutcome> {
  const { answerUseCase } = await import("../../app/answer.ts");
  const json = await answerUseCase.run(context, given);
  const { approval, delegation, story, answer } = json;
  const message = `${answer} ${approval}: ${delegation} ${consequences[answer]}`;
  return {
    exitCode: exitCode.completed,
    json,
    text: `${renderVerdict({ ok: true, message }, context)}\n  watch  ambit attach ${story}`,
  };
}
