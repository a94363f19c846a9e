import type { Command } from "commander";
import { systemClock } from "../../base/clock.ts";
import { exitCode } from "../../contract/exit-code.ts";
import type { Act, CommandContext, CommandOutcome, Invocation } from "../input/command-module.ts";
import { renderInbox } from "../render/inbox.ts";
import { paint } from "../terminal/paint.ts";
import { terminalWidth } from "../terminal/terminal-width.ts";

export function register(command: Command, act: Act): void {
  command
    .description(
      "List the questions that wait for you, with the commands that answer them. Needs no supervisor.",
    )
    .argument("[id]", "one question, with every line that its work changed; or a blocked story")
    .action(act(showInbox))
    .addHelpText("after", "\nExamples:\n  ambit inbox\n  ambit inbox S-4k2m9x");
}

async function showInbox(context: CommandContext, invocation: Invocation): Promise<CommandOutcome> {
  const { inboxUseCase } = await import("../../app/inbox.ts");
  const json = await inboxUseCase.run(context, { id: invocation.argument("id") });
  const style = {
    nowMs: systemClock.wallMs(),
    ascii: context.ascii,
    width: terminalWidth(context.environment),
    paint: paint(context.color("stdout")),
  };
  return { exitCode: exitCode.completed, json, text: renderInbox(json, style) };
}
