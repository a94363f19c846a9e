import type { Command } from "commander";
import type { Act } from "../command-module.ts";

export function register(command: Command, act: Act): void {
  command
    .description("How many delegations there were, how deep, how many are open, and the depth allowed.")
    .action(act(async (context) => (await import("./report/stats.ts")).showStats(context)))
    .addHelpText("after", "\nExample:\n  ambit stats --json");
}
