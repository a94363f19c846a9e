import type { Command } from "commander";
import type { Act, CommandContext, CommandOutcome, Invocation } from "../input/command-module.ts";
import { followInTerminal } from "../follow/follow-in-terminal.ts";

export function register(command: Command, act: Act): void {
  command
    .description("Watch a story that is running. Ctrl-C detaches again.")
    .argument("<story>", "its id")
    .action(act(attachStory))
    .addHelpText("after", "\nExample:\n  ambit attach S-4k2m9x");
}

async function attachStory(context: CommandContext, invocation: Invocation): Promise<CommandOutcome> {
  const { attachUseCase } = await import("../../app/attach.ts");
  return followInTerminal(context, (app) => attachUseCase.run(app, { id: invocation.argument("story") }));
}
