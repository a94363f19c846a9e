import type { Command } from "commander";
import type { Act } from "../command-module.ts";

export function register(command: Command, act: Act): void {
  command
    .description("Remove what finished work left behind. Never a commit, never unsaved work.")
    .option("--dry-run", "only say what would go")
    .action(
      act(async (context, invocation) => {
        const { cleanProject } = await import("./work/clean-project.ts");
        return cleanProject(context, invocation.flag("dryRun"));
      }),
    )
    .addHelpText("after", "\nExample:\n  ambit clean --dry-run");
}
