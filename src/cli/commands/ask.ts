import type { Command } from "commander";
import { exitCode } from "../../contract/exit-code.ts";
import type { Act, CommandContext, CommandOutcome, Invocation } from "../input/command-module.ts";
import { parseWholeNumber } from "../input/option-values.ts";

export function register(command: Command, act: Act): void {
  command
    .description("For agents inside a story: ask the manager or the person a question.")
    .argument("<question>", "your question")
    .option("--wait <seconds>", "how long to wait for the answer", "60")
    .action(act(askQuestion))
    .addHelpText("after", '\nExample:\n  ambit ask "uuid or bigint ids?"');
}

async function askQuestion(context: CommandContext, invocation: Invocation): Promise<CommandOutcome> {
  const waitSeconds = parseWholeNumber(invocation.option("wait") ?? "60", "--wait");
  const { askUseCase } = await import("../../app/ask.ts");
  const json = await askUseCase.run(context, { question: invocation.argument("question"), waitSeconds });
  const { answer, advice } = json;
  return {
    exitCode: answer === null ? exitCode.blocked : exitCode.completed,
    json,
    text: answer ?? advice,
  };
}
