import type { Command } from "commander";
import type { Act } from "../input/command-module.ts";
import { answerQuestion } from "./answer-question.ts";

export function register(command: Command, act: Act): void {
  command
    .description("Approve a pending request: a cost, a path, a criterion.")
    .usage("<id> [--reason <text>]")
    .argument("<id>", "the question, or the work that has exactly one")
    .option("--reason <text>", "written into the journal")
    .action(
      act((context, invocation) => {
        const reason = invocation.option("reason");
        return answerQuestion(context, { id: invocation.argument("id"), answer: "approved", reason });
      }),
    )
    .addHelpText("after", '\nExample:\n  ambit approve S-4k2m9x --reason "The lockfile change is intended"');
}
