import type { Command } from "commander";
import type { Act } from "../command-module.ts";

export function register(command: Command, act: Act): void {
  command
    .description("Say no to a question that waits. The work stays on its branch, unmerged.")
    .usage("<id> [--reason <text>]")
    .argument("<id>", "of the question, or of the work that has exactly one")
    .option("--reason <text>", "written into the journal and told to the manager")
    .action(act(async (...call) => (await import("./work/answer-question.ts")).reject(...call)))
    .addHelpText("after", '\nExample:\n  ambit reject S-4k2m9x --reason "Leave the CI files alone"');
}
