import type { Command } from "commander";
import type { Act } from "../command-module.ts";

export function register(command: Command, act: Act): void {
  command
    .description("What went wrong lately: rejected returns, timeouts, red checks, refused requests.")
    .option("--story <id>", "only of this story")
    .option("--task <number>", "only of this task")
    .option("--type <type>", "only these: timeout, validation, execution, refused, …")
    .option("--list", "every one instead of groups")
    .action(act(async (...call) => (await import("./workflow/show-errors.ts")).showErrors(...call)))
    .addHelpText("after", "\nExample:\n  ambit errors --task 191");
}
