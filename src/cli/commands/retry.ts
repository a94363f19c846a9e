import type { Command } from "commander";
import type { Act, CommandContext, CommandOutcome, Invocation } from "../input/command-module.ts";
import { followInTerminal } from "../follow/follow-in-terminal.ts";
import { readFollowUp } from "./follow-up-options.ts";

export function register(command: Command, act: Act): void {
  command
    .description("Start over with the same contract and base. The old work is kept.")
    .usage("<id> [options]")
    .argument("<id>", "an id, its beginning, @last or a path such as 2.1")
    .option("--note <text>", "what to do differently")
    .option("--agent <name>", "another agent")
    .option("--budget <dollars>", "another budget")
    .option("--timeout <seconds>", "another time limit")
    .option("--detach", "return at once; watch it with ambit attach")
    .action(act(retryStory))
    .addHelpText("after", '\nExample:\n  ambit retry 2.1 --note "Keep the public API as it is"');
}

async function retryStory(context: CommandContext, invocation: Invocation): Promise<CommandOutcome> {
  const { retryUseCase } = await import("../../app/retry.ts");
  return followInTerminal(context, (app) => retryUseCase.run(app, readFollowUp(invocation)));
}
