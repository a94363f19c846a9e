import { exitCode } from "../../contract/exit-code.ts";
import type { CommandContext, CommandOutcome } from "../input/command-module.ts";
import { renderVerdict } from "../render/verdict.ts";

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

/** Answers one open question, for `approve`, `reject` and `reply`. */
export async function answerQuestion(context: CommandContext, given: GivenAnswer): Promise<CommandOutcome> {
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
