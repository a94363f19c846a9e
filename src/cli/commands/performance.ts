import type { Command } from "commander";
import type { Act } from "../command-module.ts";

export function register(command: Command, act: Act): void {
  const by = command.createOption("--by <what>", "one line each: per agent, model, day or template");
  command
    .description("Success rate, durations, averages, overheads and stage times of all delegations.")
    .addOption(by.choices(["agent", "model", "day", "template"]))
    .option("--csv", "for a spreadsheet")
    .action(act(async (...call) => (await import("./report/performance.ts")).showPerformance(...call)))
    .addHelpText(
      "after",
      "\nExamples:\n  ambit performance --by agent\n  ambit performance --by day --csv > days.csv",
    );
}
