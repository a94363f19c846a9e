import type { Command } from "commander";
import type { Act } from "../command-module.ts";

export function register(command: Command, act: Act): void {
  command
    .description("What a story cost: itself, each delegation below it, and the total.")
    .argument("[story]", "a story id or its beginning; @last or nothing for the newest")
    .option("--csv", "one line per delegation, for a spreadsheet")
    .action(
      act(async (context, invocation) => {
        const { showCost } = await import("./report/cost.ts");
        return showCost(context, invocation);
      }),
    )
    .addHelpText("after", "\nExample:\n  ambit cost US-007 --csv > cost.csv");
}
