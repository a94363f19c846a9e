import type { Command } from "commander";
import type { Act } from "../command-module.ts";

export function register(command: Command, act: Act): void {
  command
    .description("Say yes to a question that waits: a cost, a path, a criterion.")
    .usage("<id> [--reason <text>]")
    .argument("<id>", "of the question, or of the work that has exactly one")
    .option("--reason <text>", "written into the journal")
    .action(act(async (...call) => (await import("./work/answer-question.ts")).approve(...call)))
    .addHelpText("after", '\nExample:\n  ambit approve S-4k2m9x --reason "The lockfile change is meant"');
}
