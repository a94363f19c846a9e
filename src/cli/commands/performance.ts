import type { Command } from "commander";
import type { Act } from "../command-module.ts";

export function register(command: Command, act: Act): void {
  command
    .description("Success rate, durations, averages and overheads of all delegations.")
    .action(act(async (context) => (await import("./report/performance.ts")).showPerformance(context)))
    .addHelpText("after", "\nExample:\n  ambit performance --json");
}
