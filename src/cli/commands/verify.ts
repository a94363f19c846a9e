import type { Command } from "commander";
import type { Act } from "../command-module.ts";

export function register(command: Command, act: Act): void {
  command
    .description("Acceptance criteria, how each is checked, and what was found. Exit 1: not met.")
    .usage("[id] [--rerun]")
    .argument("[id]", "an id, its beginning or a path such as 2.1; the newest story")
    .option("--rerun", "run the checks again in a fresh checkout; records nothing")
    .action(act(async (...call) => (await import("./review/verify.ts")).verifyWork(...call)))
    .addHelpText("after", "\nExample:\n  ambit verify S-4k2m9x --rerun");
}
