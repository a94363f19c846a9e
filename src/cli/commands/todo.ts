import type { Command } from "commander";
import type { Act } from "../command-module.ts";

export function register(command: Command, act: Act): void {
  command
    .description("Archive every task that is completed or abandoned; its folder and documents stay.")
    .option("--dry-run", "say what would change, change nothing")
    .action(act(async (...call) => (await import("./workflow/archive-finished.ts")).archiveFinished(...call)))
    .addHelpText("after", "\nUndo with ambit task recover <numbers>.\nExample:\n  ambit todo --dry-run");
}
