import type { Command } from "commander";
import type { Act } from "../command-module.ts";

export function register(command: Command, act: Act): void {
  command
    .description("Watch a story that is running. Ctrl-C detaches again.")
    .argument("<story>", "its id")
    .action(
      act(async (context, invocation) => {
        const { attachStory } = await import("./work/attach-story.ts");
        return attachStory(context, invocation.argument("story"));
      }),
    )
    .addHelpText("after", "\nExample:\n  ambit attach S-4k2m9x");
}
