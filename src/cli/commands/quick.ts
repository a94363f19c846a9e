import type { Command } from "commander";
import type { Act, CommandContext, CommandOutcome, Invocation } from "../input/command-module.ts";
import { followInTerminal } from "../follow/follow-in-terminal.ts";
import { checkOption, readOneStory, readStart, refuseEmpty } from "./story-options.ts";

export function register(command: Command, act: Act): void {
  command
    .description("Run a story of one line. Its agent may delegate.")
    .usage("<story> [options] [-- command...]")
    .argument("<story>", "what is to be done, in one line")
    .argument("[command...]", "any program instead of an agent, after --")
    .option("--agent <name>", "the agent that works on it (ambit agents list)")
    .option("--model <name>", "the model the agent should use")
    .addOption(
      command.createOption("--script <file>", "the built-in scripted worker follows this file").hideHelp(),
    )
    .option("--accept <criterion...>", "a condition that the work must meet")
    .addOption(checkOption(command))
    .option("--id <id>", "its id; by default one that begins with Q-")
    .option("--timeout <seconds>", "stop each agent after this long")
    .option("--budget <dollars>", "stop when all agents together have used this much")
    .option("--enable-delegation", "let it delegate whatever the settings say")
    .option("--in-process", "without a supervisor: Ctrl-C stops it")
    .option("--detach", "return at once; watch it with ambit attach")
    .action(act(runQuickly))
    .addHelpText("after", '\nExample:\n  ambit quick "Fix the typo in the README" --agent claude');
}

async function runQuickly(context: CommandContext, invocation: Invocation): Promise<CommandOutcome> {
  const { quickUseCase } = await import("../../app/quick.ts");
  refuseEmpty(invocation.argument("story"), "quick");
  const start = readStart(invocation);
  const story = { ...readOneStory(context, invocation), title: invocation.argument("story") };
  return followInTerminal(context, (app) => quickUseCase.run(app, { story, ...start }), start);
}
