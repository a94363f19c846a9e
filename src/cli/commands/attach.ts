import type { Command } from "commander";
import type { Act, CommandContext, CommandOutcome, Invocation } from "../input/command-module.ts";
import { canInteract } from "../input/can-interact.ts";
import { followInTerminal } from "../follow/follow-in-terminal.ts";

export function register(command: Command, act: Act): void {
  command
    .description("Watch a running story. Ctrl-C leaves; the work continues.")
    .argument("[story]", "an id, its beginning or a path such as 2.1; by default the newest story")
    .option("-i, --interactive", "open a screen to read logs and diffs, answer, approve, stop")
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
