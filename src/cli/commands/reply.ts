import type { Command } from "commander";
import type { Act } from "../command-module.ts";

export function register(command: Command, act: Act): void {
  command
    .description("Answer a worker's question in words; it goes on with them.")
    .argument("<id>", "of the question, or of the work that has exactly one")
    .argument("<text...>", "the answer; put -- before text that starts with -")
    .action(act(async (...call) => (await import("./work/answer-question.ts")).reply(...call)))
    .addHelpText("after", '\nExample:\n  ambit reply S-4k2m9x "Use uuid"');
}
