import type { Command } from "commander";
import type { Act } from "../command-module.ts";

export function register(command: Command, act: Act): void {
  command
    .description("Stop a running story. Its work is kept on its branch.")
    .argument("<story>", "its id")
    .option("--reason <text>", "written into the journal", "asked by a person")
    .action(
      act(async (context, invocation) => {
        const { stopStory } = await import("./work/stop-story.ts");
        return stopStory(context, invocation);
      }),
    )
    .addHelpText("after", "\nExample:\n  ambit stop S-4k2m9x");
}
