import type { Command } from "commander";
import type { Act, CommandContext, CommandOutcome, Invocation } from "../input/command-module.ts";
import { canInteract } from "../input/can-interact.ts";
import { followInTerminal } from "../follow/follow-in-terminal.ts";

export function register(command: Command, act: Act): void {
  command
    .description("Watch a story that is running. Ctrl-C detaches again.")
    .argument("<story>", "its id")
    .option("-i, --interactive", "interactive screen: read logs and diffs, answer, approve, stop")
    .action(act(attachStory))
    .addHelpText("after", "\nExamples:\n  ambit attach S-4k2m9x\n  ambit attach S-4k2m9x -i");
}

async function attachStory(context: CommandContext, invocation: Invocation): Promise<CommandOutcome> {
  const { attachUseCase } = await import("../../app/attach.ts");
  const input = { id: invocation.argument("story") };
  if (!invocation.flag("interactive") || !canInteract(context))
    return followInTerminal(context, (app) => attachUseCase.run(app, input));
  const { followOnScreen } = await import("../interactive/follow-on-screen.ts");
  return followOnScreen(context, (app) => attachUseCase.run(app, input));
}
