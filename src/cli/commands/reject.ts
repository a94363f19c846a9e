import type { Command } from "commander";
import type { Act } from "../input/command-module.ts";
import { answerQuestion } from "./answer-question.ts";

export function register(command: Command, act: Act): void {
  command
    .description("Reject a pending request. The work stays on its branch, unmerged.")
    .usage("<id> [--reason <text>]")
    .argument("<id>", "the question, or the work that has exactly one")
    .option("--reason <text>", "written into the journal and sent to the manager")
    .action(
      act((context, invocation) => {
        const reason = invocation.option("reason");
        return answerQuestion(context, { id: invocation.argument("id"), answer: "rejected", reason });
      }),
    )
    .addHelpText("after", '\nExample:\n  ambit reject S-4k2m9x --reason "Do not touch the CI files"');
}
