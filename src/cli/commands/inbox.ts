import type { Command } from "commander";
import { systemClock } from "../../base/clock.ts";
import { exitCode } from "../../contract/exit-code.ts";
import type { Act, CommandContext, CommandOutcome } from "../input/command-module.ts";
import { renderInbox } from "../render/inbox.ts";
import { paint } from "../terminal/paint.ts";

export function register(command: Command, act: Act): void {
  command
    .description("What waits for your answer, and the command that answers it. Needs no supervisor.")
    .action(act(showInbox))
    .addHelpText("after", "\nExample:\n  ambit inbox --json");
}

async function showInbox(context: CommandContext): Promise<CommandOutcome> {
  const { inboxUseCase } = await import("../../app/inbox.ts");
  const json = await inboxUseCase.run(context, {});
  const style = { nowMs: systemClock.wallMs(), paint: paint(context.color("stdout")) };
  return { exitCode: exitCode.completed, json, text: renderInbox(json, style) };
}
