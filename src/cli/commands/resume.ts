import type { Command } from "commander";
import type { Act, CommandContext, CommandOutcome, Invocation } from "../input/command-module.ts";
import { followInTerminal } from "../follow/follow-in-terminal.ts";
import { readFollowUp } from "./follow-up-options.ts";

export function register(command: Command, act: Act): void {
  command
    .description("Continue work that was interrupted, stopped or limited, from what was kept.")
    .usage("[id] [options]")
    .argument("[id]", "an id, its beginning or a path such as 2.1; the newest story")
    .option("--note <text>", "what to do differently")
    .option("--agent <name>", "another agent")
    .option("--budget <dollars>", "another budget")
    .option("--timeout <seconds>", "another time limit")
    .option("--detach", "return at once; watch it with ambit attach")
    .action(act(resumeStory))
    .addHelpText("after", "\nExample:\n  ambit resume S-4k2m9x --budget 8");
}

async function resumeStory(context: CommandContext, invocation: Invocation): Promise<CommandOutcome> {
  const { resumeUseCase } = await import("../../app/resume.ts");
  const outcome = await followInTerminal(context, (app) => resumeUseCase.run(app, readFollowUp(invocation)));
  const { story, after, outcome: ended } = outcome.json;
  if (after === undefined || ended !== "completed") return outcome;
  const text = `${after} is completed; there is nothing to continue.\n  next   ambit merge ${story}    ambit retry ${after}`;
  return { ...outcome, text };
}
